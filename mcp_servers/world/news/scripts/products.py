"""Scripts for products: launches, versions, recalls, outages, stoppages, trials and strikes."""

from mcp_servers.world.news.scripts.script import Script

SCRIPTS = {
    "product": Script(
        ("launched", "available"),
        (
            "{name} presents the {launched}",
            "{short} launches {launched}",
            "The {launched} is {short}'s new hope",
            "{name} brings out a new {what}",
            "First look: {short}'s {launched}",
        ),
        (
            "{name} presented the {launched}, which customers can have from {available}.",
            "The {launched} is the newest product of {name}; it will be available on {available}.",
            "From {available}, {name} will sell the {launched}.",
            "A new {what} comes from {city}: {name} will offer the {launched} from {available}.",
        ),
        (
            "Its {figure} is {value}, according to the company.",
            "{name} says that it spent {investment} on development.",
            "With a {figure} of {value} it stands out among its rivals, the company claims.",
            "The price will depend on the size of an order.",
            "It follows the {product} in the company's range.",
            "Dealers have been able to try it for weeks.",
            "Development took {investment} and several years.",
            "{analyst} of {house} expects little effect on sales this year.",
        ),
        (
            "\"We built the {what} that we wanted to have ourselves,\" said {chief}.",
            "\"Customers asked for less of everything, so we took things away,\" said {designer}, head of product.",
            "\"It is late, and it is worth it,\" {designer} said at the presentation.",
        ),
    ),
    "version": Script(
        ("launched", "version"),
        (
            "{name} renews the {launched}",
            "Version {version} of the {launched} is out",
            "{short} says new {launched} does {gain} per cent more",
            "{launched}: {short} announces version {version}",
        ),
        (
            "Version {version} of the {launched} arrives on {available}, {name} said.",
            "{name} will replace the {launched} by version {version} on {available}.",
            "The {launched} of {name} gets a successor, version {version}, from {available}.",
        ),
        (
            "It is said to do {gain} per cent more than the one before.",
            "Those who have the older one pay half.",
            "Tests by the company show a gain of {gain} per cent.",
            "The old version stays on sale until stocks are gone.",
        ),
        (
            "\"Nobody will miss the old one,\" said {designer}, who runs product development.",
            "\"We changed two parts out of three,\" {designer} said.",
        ),
    ),
    "recall": Script(
        ("recalled", "units"),
        (
            "{name} recalls {units} units of the {recalled}",
            "{short} recall: {reason}",
            "{units} {short} products called back",
            "Recall hits {name}",
            "{short} stops sales of the {recalled}",
        ),
        (
            "{name} recalls {units} units of the {recalled} because of {reason}.",
            "Because of {reason}, {name} calls back {units} units of the {recalled}.",
            "The {recalled} of {name} is recalled: {units} units may have {reason}.",
        ),
        (
            "The company puts the cost at {cost}.",
            "The units were made in {made_at}.",
            "Nobody was harmed as far as is known.",
            "Customers get a repair or their money back.",
            "Production in {made_at} was halted for checks.",
            "A charge of {cost} will be booked in this quarter.",
            "An agency had received several complaints.",
        ),
        (
            "\"One complaint is one too many,\" said {designer}, the head of product.",
            "\"We found it, we say it, and we pay for it,\" chief executive {chief} said.",
        ),
    ),
    "outage": Script(
        ("down", "hours"),
        (
            "{name} down for hours",
            "Outage at {short} lasts {hours}",
            "{short} explains outage: {reason}",
            "{customers} customers hit by {short} outage",
            "{down} fails for {hours}",
        ),
        (
            "The {down} of {name} was down for {hours} after {reason}.",
            "{reason_capital} took the {down} of {name} offline for {hours}.",
            "For {hours}, {customers} customers could not use the {down} of {name}.",
        ),
        (
            "About {customers} customers were affected.",
            "The company blamed {reason}.",
            "Some contracts provide for refunds in such a case.",
            "Engineers had to restore part of the data from copies.",
            "The service has been stable since, the company said.",
        ),
        (
            "\"This should not have happened, and the next one will not,\" said {chief}.",
            "\"The alarm worked; our reaction did not,\" {designer} said.",
        ),
    ),
    "stoppage": Script(
        ("stopped_city", "days"),
        (
            "{name} halts {site} in {stopped_city}",
            "{short}: {stopped_city} out of action for {days}",
            "{reason_capital} stops {short} in {stopped_city}",
            "{stopped_city} {site} stands still",
        ),
        (
            "{name} had to halt its {site} in {stopped_city} after {reason} and expects {days} without operation.",
            "After {reason}, the {site} of {name} in {stopped_city} will stand still for {days}.",
            "The {stopped_city} {site} of {name} will be out of action for {days}; the cause is {reason}.",
        ),
        (
            "It stands for {capacity} per cent of the company's capacity.",
            "Nobody was hurt.",
            "Customers will be served from other places as far as possible.",
            "Insurers have been told.",
            "About {capacity} per cent of the capacity is missing in that time.",
        ),
        (
            "\"Safety first, tonnes second,\" said {chief}.",
            "\"We will use the time for repairs that were due anyway,\" {designer} said.",
        ),
    ),
    "trial": Script(
        ("tested", "result", "patients"),
        (
            "{short}'s {tested} {result} its goal in phase {phase}",
            "{name} reports phase {phase} data",
            "Trial of {tested}: goal {result}",
            "{patients} patients later: {short} on its {tested}",
        ),
        (
            "The {tested} of {name} {result} {goal} in a phase {phase} trial with {patients} patients.",
            "In a phase {phase} trial with {patients} patients the {tested} of {name} {result} {goal}.",
            "{name} said that its {tested} {result} {goal}. The phase {phase} trial had {patients} patients.",
        ),
        (
            "Side effects were mild in most cases.",
            "The full data will be shown at a congress.",
            "{analyst} of {house} had given it even odds.",
            "The agency is to be asked for a meeting.",
            "The trial ran at forty hospitals.",
            "The company will decide on the next step by the end of the year.",
        ),
        (
            "\"Data are data,\" said {chief}.",
            "\"We owe thanks to those who took part,\" said {designer}, who leads development.",
        ),
    ),
    "strike:began": Script(
        ("struck_city", "workers"),
        (
            "Strike at {name} in {struck_city}",
            "{workers} walk out at {short}'s {struck_city} {site}",
            "{struck_city}: workers demand {demand} per cent",
            "{short} hit by strike",
        ),
        (
            "{workers} workers went on strike at the {site} of {name} in {struck_city}.",
            "At the {struck_city} {site} of {name}, {workers} workers have laid down their tools.",
            "The {site} of {name} in {struck_city} stands still: {workers} workers are on strike.",
        ),
        (
            "They demand {demand} per cent more pay.",
            "Talks had broken down during the night.",
            "The company offered half of the {demand} per cent that is demanded.",
            "Stocks last for about a month, the company said.",
            "Other sites work as usual.",
        ),
        (
            "\"We will stand here until there is an offer that deserves the name,\" said {speaker}, who speaks for the "
            "workers.",
            "\"The door is open, and so is the calendar,\" said {chief}.",
        ),
    ),
    "strike:ended": Script(
        ("struck_city", "agreed"),
        (
            "Strike at {name} ends with {agreed} per cent",
            "{struck_city}: {short} and workers agree",
            "Work resumes at {short}'s {struck_city} {site}",
            "{agreed} per cent more pay at {short} in {struck_city}",
        ),
        (
            "The strike at the {site} of {name} in {struck_city} is over: the workers get {agreed} per cent more pay.",
            "With {agreed} per cent more pay, the strike at {name} in {struck_city} has ended.",
            "Workers in {struck_city} return to the {site} of {name}, with {agreed} per cent more in their pay.",
        ),
        (
            "They had demanded {demand} per cent.",
            "It had begun on {began}.",
            "Both sides spoke of a compromise.",
            "Full output is expected within two weeks.",
            "The agreement runs for two years.",
        ),
        (
            "\"Nobody got everything, and everybody can live with it,\" said {speaker}.",
            "\"Now we make up for lost time,\" said {chief}.",
        ),
    ),
}  # fmt: skip
