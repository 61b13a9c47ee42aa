"""Scripts for contracts, sales of units, bids and lawsuits."""

from mcp_servers.world.news.scripts.script import Script

SCRIPTS = {
    "contract": Script(
        ("supplier", "customer", "amount"),
        (
            "{supplier} wins {amount} order from {customer}",
            "{customer} buys from {supplier}",
            "{supplier} to supply {customer} for {years}",
            "{amount}: {supplier} and {customer} sign",
            "{customer} ties itself to {supplier}",
        ),
        (
            "{supplier} will supply {customer} with the {goods} under a contract worth {amount}.",
            "{customer} has ordered the {goods} from {supplier} for {amount} over {years}.",
            "A contract worth {amount} binds {customer} to {supplier} for {years}.",
            "{supplier} and {customer} signed a contract worth {amount} for the {goods}.",
        ),
        (
            "It runs until {until}.",
            "Deliveries begin in the coming quarter.",
            "There is an option for two more years.",
            "The customer had looked at three other offers.",
            "Prices are tied to an index.",
            "The two had worked together in a pilot.",
        ),
        (
            "\"They asked the hardest questions, and that helped us,\" said {chief}.",
            "\"It fills our books, not our capacity,\" {finance} said.",
        ),
    ),
    "acquisition:agreed": Script(
        ("buyer", "unit", "price"),
        (
            "{buyer} buys {unit} from {seller}",
            "{seller} sells {unit} for {price}",
            "{price} deal: {unit} goes to {buyer}",
            "{buyer} and {seller} agree on {unit}",
        ),
        (
            "{buyer} has agreed to buy the {unit} of {seller} for {price}.",
            "For {price}, the {unit} of {seller} is to go to {buyer}.",
            "{seller} parts with its {unit}: {buyer} pays {price}.",
        ),
        (
            "The unit has sales of {unit_sales} a year and {staff} employees.",
            "The price is paid in cash.",
            "Agencies have to agree.",
            "The {staff} people who work there are taken over.",
            "The two expect to close within half a year.",
            "Yearly sales of the unit are {unit_sales}.",
        ),
        (
            "\"It fits like a missing drawer,\" said {chief}.",
            "\"We pay a fair price for a good business,\" said {finance}.",
        ),
    ),
    "acquisition:completed": Script(
        ("buyer", "unit", "price"),
        (
            "{buyer} completes purchase of {unit}",
            "{unit} now belongs to {buyer}",
            "Deal closed: {seller} hands over {unit}",
            "{buyer} takes over {unit}",
        ),
        (
            "{buyer} has completed the purchase of the {unit} from {seller} for {price}.",
            "The {unit} of {seller} now belongs to {buyer}, which paid {price}.",
            "For {price} in cash, {buyer} took over the {unit} from {seller}.",
        ),
        (
            "The deal had been agreed on {agreed}.",
            "All agencies had agreed without conditions.",
            "{staff} employees change their employer.",
            "The unit's sales of {unit_sales} a year move from one company to the other.",
            "The name will be kept for a year.",
        ),
        ("\"The work begins now,\" said {chief}.", "\"We closed on the day that we had planned,\" {finance} said."),
    ),
    "bid:proposed": Script(
        ("bidder", "target", "bid_price"),
        (
            "{bidder} bids {bid_price} a share for {target}",
            "{bidder} wants to buy {target}",
            "Takeover offer for {target}: {bid_price} a share",
            "{target} gets an offer with a premium of {premium} per cent",
        ),
        (
            "{bidder} offers {bid_price} in cash for each share of {target}.",
            "{target} may be taken over: {bidder} bids {bid_price} a share.",
            "A bid of {bid_price} a share for {target} came from {bidder}.",
        ),
        (
            "That is {premium} per cent more than the last close.",
            "The board of the target will study the offer.",
            "Bankers had been seen at both companies for weeks.",
            "Together the two would lead their market.",
            "A premium of {premium} per cent is not unusual, said {analyst} of {house}.",
        ),
        (
            "\"Together we are more than the sum,\" said {chief}.",
            "\"We have the money, and we have the patience,\" {finance} said.",
        ),
    ),
    "bid:withdrawn": Script(
        ("bidder", "target", "bid_price"),
        (
            "{bidder} drops bid for {target}",
            "No takeover: {bidder} walks away from {target}",
            "{target} stays independent",
            "{bidder} gives up on {target}",
        ),
        (
            "{bidder} has withdrawn its bid of {bid_price} a share for {target}.",
            "The bid of {bidder} for {target}, at {bid_price} a share, is off.",
            "{target} stays on its own: {bidder} no longer offers {bid_price} a share.",
        ),
        (
            "Resistance had come from {because}.",
            "The bid had been made on {proposed}.",
            "No fee is due, according to both sides.",
            "The costs of the attempt will show in the next report.",
            "In the end it was {because} that stood in the way.",
        ),
        (
            "\"A deal that needs so much glue is none,\" said {chief}.",
            "\"Discipline means to be able to stop,\" {finance} said.",
        ),
    ),
    "lawsuit:filed": Script(
        ("plaintiff", "defendant", "claimed"),
        (
            "{plaintiff} sues {defendant}",
            "{defendant} sued for {claimed}",
            "Lawsuit over {claim_short}: {plaintiff} against {defendant}",
            "{plaintiff} takes {defendant} to court",
        ),
        (
            "{plaintiff} has sued {defendant} for {claimed} over {claim}.",
            "Over {claim}, {plaintiff} wants {claimed} from {defendant}.",
            "{defendant} faces a claim of {claimed}: {plaintiff} accuses it of {claim}.",
        ),
        (
            "The suit was filed with {court}.",
            "{defendant} called the claim baseless.",
            "Talks between the two had failed in the summer.",
            "A first hearing is months away.",
            "Lawyers expect that it will be settled.",
            "The complaint of forty pages lies with {court}.",
        ),
        (
            "\"We defend ourselves, and we will win,\" said {chief}.",
            "\"We had hoped that it would not come to this,\" a lawyer in the case said.",
        ),
    ),
    "lawsuit:settled": Script(
        ("plaintiff", "defendant", "paid"),
        (
            "{defendant} settles with {plaintiff}",
            "{paid} ends dispute of {plaintiff} and {defendant}",
            "{plaintiff} and {defendant} settle over {claim_short}",
            "Settlement: {defendant} pays {paid}",
        ),
        (
            "{defendant} pays {paid} to {plaintiff} and ends the lawsuit over {claim}.",
            "With {paid} from {defendant}, the lawsuit of {plaintiff} over {claim} is settled.",
            "{plaintiff} and {defendant} have settled: {paid} are paid over {claim}.",
        ),
        (
            "The suit had asked for {claimed}.",
            "It was filed on {filed}.",
            "Neither side admits anything.",
            "{court_capital} has closed the case.",
            "The payment is booked in this quarter.",
        ),
        (
            "\"A lean settlement is better than a fat verdict,\" a lawyer in the case said.",
            "\"We can now spend our time on customers again,\" said {chief}.",
        ),
    ),
    "lawsuit:dismissed": Script(
        ("plaintiff", "defendant"),
        (
            "Court dismisses suit of {plaintiff} against {defendant}",
            "{defendant} wins in court",
            "{plaintiff} loses case over {claim_short}",
            "No money for {plaintiff} from {defendant}",
        ),
        (
            "A court has dismissed the lawsuit of {plaintiff} against {defendant} over {claim}.",
            "{defendant} need not pay: the suit of {plaintiff} over {claim} was dismissed.",
            "{plaintiff} has lost its case against {defendant} over {claim}.",
        ),
        (
            "The suit had asked for {claimed}.",
            "The ruling came from {court}.",
            "An appeal is possible.",
            "It had been filed on {filed}.",
            "The judge saw no proof of damage.",
        ),
        ("\"We said so from the first day,\" said {chief}.", "\"We will read the ruling with care,\" a lawyer said."),
    ),
    "lawsuit:awarded": Script(
        ("plaintiff", "defendant", "paid"),
        (
            "Court: {defendant} must pay {plaintiff} {paid}",
            "{plaintiff} wins {paid} from {defendant}",
            "{defendant} loses case over {claim_short}",
            "Verdict against {defendant}",
        ),
        (
            "{defendant} must pay {paid} to {plaintiff} for {claim}, a court ruled.",
            "A court awarded {plaintiff} {paid} from {defendant} over {claim}.",
            "Over {claim}, {plaintiff} gets {paid} from {defendant}, as a court decided.",
        ),
        (
            "The suit had asked for {claimed}.",
            "The ruling came from {court}.",
            "{defendant} will not appeal.",
            "It had been filed on {filed}.",
            "The sum is booked as a charge in this quarter.",
        ),
        (
            "\"We disagree, and we pay,\" said {chief}.",
            "\"It was never about the money alone,\" a lawyer for {plaintiff} said.",
        ),
    ),
}  # fmt: skip
