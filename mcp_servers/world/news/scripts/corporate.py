"""Scripts for chief executives, splits, buybacks, sites and layoffs."""

from mcp_servers.world.news.scripts.script import Script

SCRIPTS = {
    "chief": Script(
        ("arriving", "leaving", "effective"),
        (
            "{arriving} to lead {name}",
            "{name} names {arriving} as chief executive",
            "{leaving} leaves {short}; {arriving} follows",
            "Change at the top of {name}",
            "{short} picks its next chief executive: {arriving}",
        ),
        (
            "{arriving} will become chief executive of {name} on {effective} and follow {leaving}.",
            "{name} has named {arriving} as its next chief executive. {leaving} hands over on {effective}.",
            "{leaving} will leave the top of {name} on {effective}, the company said; {arriving} takes the post.",
            "The board of {name} chose {arriving} to succeed {leaving} as chief executive from {effective}.",
        ),
        (
            "The reason given was {reason}.",
            "The successor comes from {from_where} the company.",
            "{leaving_last} had asked the board to begin the search last year, a person close to it said.",
            "A search firm had been at work for months.",
            "The company cited {reason}.",
            "Finance chief {finance} stays.",
            "Founder {founder} welcomed the choice in a note to staff.",
        ),
        (
            "\"I will listen for ninety days, and then I will act,\" {arriving} said.",
            "\"It was a privilege, and it was enough,\" said {leaving}.",
            "\"There is no need for a new strategy, only for a faster one,\" {arriving} told employees.",
        ),
    ),
    "split": Script(
        ("ratio", "date"),
        (
            "{name} announces a {ratio} split",
            "{short} to split its shares {ratio}",
            "{ratio} split at {name} takes effect in weeks",
            "Shares of {name} will be split",
            "{short}: new number of shares from {date}",
        ),
        (
            "{name} will carry out a {ratio} split of its shares; the new ones trade from {date}.",
            "From {date} on, the shares of {name} will trade after a {ratio} split.",
            "The board of {name} decided on a {ratio} split that takes effect on {date}.",
            "A {ratio} split of {name} takes effect on {date}, the company announced.",
        ),
        (
            "The shares last closed at {close}.",
            "The split changes nothing about what the company is worth.",
            "Dividends and options will be adjusted.",
            "Holders need not do anything.",
            "Index funds will follow on the same day.",
            "It is the company's first split in many years.",
        ),
        (
            "\"A share should be something that our staff can buy with a week's savings,\" said {finance}.",
            "\"It is arithmetic, not strategy,\" chief executive {chief} said.",
        ),
    ),
    "buyback": Script(
        ("amount",),
        (
            "{name} to buy back shares for {amount}",
            "{short} board approves {amount} buyback",
            "{amount} for shareholders of {name}",
            "{name} starts a buyback",
        ),
        (
            "{name} will buy back its own shares for up to {amount} over {months} months.",
            "A buyback of up to {amount} was approved by the board of {name}; it runs for {months} months.",
            "Within {months} months, {name} wants to spend up to {amount} on its own shares.",
        ),
        (
            "The shares last closed at {close}.",
            "The programme may be stopped at any time.",
            "The company means to pay for it out of its cash flow.",
            "A former programme had ended in the spring.",
            "{analyst} of {house} said that a higher dividend would have been the better choice.",
            "Purchases start after the next report.",
        ),
        (
            "\"Our own shares are the best thing we can buy at this price,\" said {finance}.",
            "\"We invest first and buy back second,\" said {chief}.",
        ),
    ),
    "works:opens": Script(
        ("works_city", "jobs"),
        (
            "{name} to build {a_site} in {works_city}",
            "{works_city} wins {short}'s new {site}",
            "{short} plans {jobs} jobs in {works_city}",
            "New {site}: {name} goes to {works_city}",
        ),
        (
            "{name} will build {a_site} in {works_city}, {works_state}, with {jobs} jobs.",
            "A new {site} of {name} with {jobs} jobs is to rise in {works_city}, {works_state}.",
            "{works_city} gets {a_site}: {name} wants to employ {jobs} people there.",
        ),
        (
            "It should open in {when}.",
            "The company puts the investment at {cost}.",
            "Work on the ground starts once the permits are there.",
            "The town competed with three others, officials said.",
            "It will make parts of the {product}.",
            "The opening is planned for {when}, and the cost is put at {cost}.",
        ),
        (
            "\"We went where the people and the power lines are,\" said {chief}.",
            "\"This is about being near our customers,\" chief executive {chief} said.",
        ),
    ),
    "works:expands": Script(
        ("works_city", "jobs"),
        (
            "{name} expands in {works_city}",
            "{short} adds {jobs} jobs at its {works_city} {site}",
            "More room for {short} in {works_city}",
            "{works_city} {site} of {name} grows",
        ),
        (
            "{name} will expand its {site} in {works_city}, {works_state}, and add {jobs} jobs.",
            "The {works_city} {site} of {name} grows: {jobs} jobs are to be added.",
            "{jobs} more people are to work at the {site} in {works_city} that belongs to {name}.",
        ),
        (
            "The work is to be finished in {when}.",
            "The company spends {cost} on it.",
            "A second hall has been on the drawing board for years.",
            "Hiring starts in the autumn, according to the plan.",
            "The site makes the {product}, among other things.",
        ),
        (
            "\"The team there has earned it,\" said {chief}.",
            "\"It is cheaper to grow where you already know the neighbours,\" {finance} said.",
        ),
    ),
    "works:closes": Script(
        ("works_city", "jobs"),
        (
            "{name} closes its {site} in {works_city}",
            "{short} to leave {works_city}; {jobs} jobs affected",
            "{works_city} loses {short}'s {site}",
            "End of the {works_city} {site}",
        ),
        (
            "{name} will close its {site} in {works_city}, {works_state}; {jobs} jobs are affected.",
            "The {site} of {name} in {works_city} closes, with {jobs} jobs.",
            "In {works_city}, {jobs} people learned that {name} will shut the {site} there.",
        ),
        (
            "The last shift is planned for {when}.",
            "Closing it costs {cost}, the company reckons.",
            "Some of those who work there will be offered posts elsewhere.",
            "The town has asked for talks.",
            "The machines move to other sites.",
        ),
        (
            "\"This was the hardest decision of my time here,\" said {chief}.",
            "\"We had more floor than work,\" finance chief {finance} said.",
        ),
    ),
    "layoffs": Script(
        ("jobs", "cost"),
        (
            "{name} cuts {jobs} jobs",
            "{short} to cut {share} per cent of its staff",
            "Job cuts at {name}",
            "{jobs} posts go at {short}",
        ),
        (
            "{name} will cut {jobs} jobs, about {share} per cent of its staff. It books a charge of {cost}.",
            "About {share} per cent of the staff, or {jobs} people, will have to leave {name}, which puts the cost at "
            "{cost}.",
            "{jobs} jobs go at {name}. The charge for this quarter is {cost}.",
        ),
        (
            "Most of the cuts are in administration.",
            "The company wants to end talks with staff within eight weeks.",
            "Product development is spared.",
            "{analyst} of {house} had asked for such a step since last year.",
            "The savings begin to show next year, the company said.",
        ),
        (
            "\"We hired for a growth that did not come,\" said {chief}.",
            "\"We do this once, and we do it properly,\" said {finance}.",
        ),
    ),
}  # fmt: skip
