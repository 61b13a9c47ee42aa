"""Scripts for articles without an event: large moves, comparisons, and sentences for any article."""

from mcp_servers.world.news.scripts.script import Script

SCRIPTS = {
    "mover": Script(
        ("day_change", "day_close"),
        (
            "{name} shares {day_change}",
            "{short} among the day's big movers",
            "No news, big move: {short} {day_change}",
            "{name} {day_change} in heavy trading",
            "Why {short} {day_verb} on {weekday}",
        ),
        (
            "Shares of {name} {day_change} on {weekday} and closed at {day_close}.",
            "{name} {day_change} to {day_close} on {weekday}, without any news of its own.",
            "At {day_close}, the shares of {name} left the day with a large move: they {day_change}.",
        ),
        (
            "About {volume} shares changed hands.",
            "Traders spoke of a large order.",
            "The company said that it knows of no reason.",
            "{analyst} of {house} sees no reason in the business.",
            "Volume came to {volume} shares.",
            "Options had shown nothing unusual before.",
        ),
    ),
    "compare": Script(
        ("mine", "theirs"),
        (
            "{name} or {peer}: who has the better {measure}?",
            "{measure_capital}: {short} against {peer_short}",
            "Two companies, one question: {measure}",
            "{peer_short} and {short} compared",
            "In figures: {name} and {peer}",
        ),
        (
            "In the last reported quarter, {name} had {a_measure} of {mine}, and {peer} one of {theirs}.",
            "The {measure} of {name} was {mine} in its last report; that of {peer} was {theirs}.",
            "{mine} against {theirs}: so far apart are {name} and {peer} in {measure}, by their last reports.",
        ),
        (
            "Both work in the same circle of customers and suppliers.",
            "The figures are taken from the quarterly reports of both.",
            "Quarters are not years, and one figure is not a judgement.",
            "{peer} reported on the quarter that ended on {peer_ends}.",
            "The report of {name} covers the quarter that ended on {ends}.",
            "{analyst} of {house} looks at cash first.",
            "{short} has {employees} employees.",
        ),
    ),
}  # fmt: skip

BACKGROUND = (
    "The last close of {name} was {close}.",
    "The shares had {month_change} over the month before.",
    "Over twelve months the shares have {year_change}.",
    "{name}, founded in {founded}, has about {employees} employees.",
    "{name} is based in {city}, {state}.",
    "{chief} leads the company as chief executive.",
    "The company is best known for the {product}.",
    "In its last reported quarter it had sales of {last_revenue}.",
    "Its market value is about {value}.",
    "{name} trades under the ticker {ticker}.",
    "The company's fiscal year ends in {fiscal_end}.",
    "It belongs to the {sector_small} sector.",
    "At the last close the company was worth about {value}.",
    "Its most recent report showed revenue of {last_revenue}.",
    "{founder} founded the company in {founded}.",
    "The shares are listed on {exchange}.",
    "Its finances are in the hands of {finance}.",
    "{short} is run from {city}; the chief executive is {chief}.",
    "{house} is among the houses that follow the shares.",
    "Those who know the {product} know the company.",
)
DATELINES = ("{dateline}, {date_short} ({publisher}) - ", "({publisher}) - ", "")
COIN_BACKGROUND = (
    "Over the month before, {coin} had {month_change}.",
    "A year ago the coin {year_word} at {year_price}.",
    "{coin} trades around the clock.",
    "Prices are in United States dollars.",
    "At midnight UTC, {coin} stood at {close}.",
    "The last close of {coin} was {close}.",
    "Those who hold {coin} are used to swings.",
    "{coin} had {month_change} in thirty days.",
    "The day of {coin} ends at midnight UTC.",
    "No central bank stands behind {coin}.",
    "A month of {coin}: it had {month_change}.",
    "{coin} is the subject of several funds.",
)  # fmt: skip
