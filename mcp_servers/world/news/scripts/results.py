"""Scripts for results, expectations, guidance, dividends and ratings."""

from mcp_servers.world.news.scripts.script import Script

SCRIPTS = {
    "earnings": Script(
        ("eps", "revenue"),
        (
            "{name} {verdict} with {quarter} profit of {eps} a share",
            "{short} earns {eps} a share in {quarter}, revenue {growth}",
            "{name} reports {quarter} revenue of {revenue}",
            "{short}'s {quarter}: {eps} a share against {eps_expected} expected",
            "Results: {name} posts {revenue} in sales for the {quarter}",
            "{name} ({exchange}: {ticker}) {verdict} in the {quarter}",
            "What {short}'s {quarter} tells about {industry_small}",
        ),
        (
            "{name} earned {eps} a share in the {quarter} of fiscal {year}, {eps_versus} the {eps_expected} that "
            "analysts had expected. Revenue was {revenue}.",
            "Revenue at {name} came to {revenue} in the {quarter} of fiscal {year} and earnings to {eps} a share; the "
            "market had looked for {revenue_expected} and {eps_expected}.",
            "{name} said that it made {eps} a share on revenue of {revenue} in the {quarter}. The consensus stood at "
            "{eps_expected} a share.",
            "For the {quarter} of its fiscal year {year}, {name} reported earnings of {eps} a share and sales of "
            "{revenue}, which {growth} from a year earlier.",
            "The {city} company closed its {quarter} with sales of {revenue} and earnings per share of {eps}, it said. "
            "Analysts had pencilled in {eps_expected} a share.",
            "{eps} a share on sales of {revenue}: with that, {name} was {eps_versus} the consensus of {eps_expected} "
            "in the {quarter}.",
        ),
        (
            "Net income was {net_income}.",
            "Compared with the same quarter a year earlier, revenue {growth}.",
            "Sales were {revenue_versus} the {revenue_expected} in the average forecast.",
            "A year ago the company had taken in {revenue_year_before}.",
            "Demand for the {product} was named as the main reason for the change in sales.",
            "Finance chief {finance} pointed to wages and freight as the items to watch.",
            "Management left its plans for new sites unchanged.",
            "The bottom line came to {net_income}, the company's report shows.",
            "Order books were said to be in line with the season.",
            "Some on the call asked about prices; the answer was that they held.",
        ),
        (
            "\"We did what we said we would do,\" said {chief}, who leads the company.",
            "\"The quarter shows where our money is best spent,\" chief executive {chief} told analysts.",
            "\"I would not read too much into a single quarter,\" said {finance}, the finance chief.",
            "\"{product_brand} carried us, and it will carry us further,\" {chief} said.",
            "\"Costs are where we want them; sales are not there yet,\" said {finance}.",
        ),
    ),
    "loss": Script(
        ("loss", "revenue"),
        (
            "{name} loses {loss} a share in {quarter}",
            "{short} in the red: {loss} a share",
            "Loss at {name}, revenue {growth}",
            "{name} {verdict} with a loss of {loss} a share",
        ),
        (
            "{name} lost {loss} a share in the {quarter} of fiscal {year}, on revenue of {revenue}.",
            "The {quarter} of fiscal {year} brought {name} a loss of {loss} a share; sales were {revenue}.",
            "On sales of {revenue}, {name} made a loss of {loss} a share in the {quarter} of fiscal {year}.",
        ),
        (
            "Compared with the same quarter a year earlier, revenue {growth}.",
            "The average forecast for earnings per share had been {eps_expected}.",
            "Prices fell faster than costs.",
            "A year ago the company had taken in {revenue_year_before}.",
            "Finance chief {finance} announced a review of all spending.",
        ),
        (
            "\"We know what to do, and we have begun,\" said {chief}.",
            "\"Cash is what counts now,\" {finance} said.",
        ),
    ),
    "preview": Script(
        ("eps_expected", "revenue_expected"),
        (
            "{name} to report {quarter}: what analysts expect",
            "Before the numbers: {short} seen at {eps_expected} a share",
            "What to watch when {name} opens its books",
            "{short} results are due {when}; {eps_expected} a share expected",
            "Preview: {name}'s {quarter}",
        ),
        (
            "{name} reports its {quarter} on {when}. Analysts expect {eps_expected} a share on revenue of "
            "{revenue_expected}.",
            "When {name} publishes its {quarter} on {when}, the yardstick will be {eps_expected} a share and sales of "
            "{revenue_expected}.",
            "The average forecast for {name}'s {quarter} stands at {eps_expected} a share, with sales of "
            "{revenue_expected}. The report is due on {when}.",
            "Sales of {revenue_expected} and earnings of {eps_expected} a share: that is what the market asks of "
            "{name}, which reports on {when}.",
        ),
        (
            "In the same quarter a year ago the company took in {revenue_year_before}.",
            "Investors want to hear how the {product} sells.",
            "Margins matter more than sales this time, said {analyst} of {house}.",
            "The company rarely comments before its results, and did not do so now.",
            "Much will depend on what {finance}, who looks after the finances, says about costs.",
        ),
    ),
    "guidance": Script(
        ("low", "high"),
        (
            "{name} sees {for_quarter} revenue of {low} to {high}",
            "{short} guides for {low} to {high} in the {for_quarter}",
            "Outlook: {name} on its {for_quarter}",
            "{short} gives a range for its {for_quarter}",
            "{name} expects {direction} sales in the {for_quarter}",
        ),
        (
            "{name} expects revenue of {low} to {high} in the {for_quarter} of fiscal {for_year}.",
            "For the {for_quarter} of fiscal {for_year}, {name} forecast sales between {low} and {high}.",
            "Sales should come to between {low} and {high} in the {for_quarter}, {name} said with its results.",
            "{name} has put its {for_quarter} revenue at {low} at the least and {high} at the most.",
        ),
        (
            "The same quarter a year earlier had brought {year_before}.",
            "The middle of the range would be {direction} than a year earlier.",
            "{analyst} of {house} called the forecast careful.",
            "Exchange rates are taken as they are, the company noted.",
            "A forecast for earnings was not given.",
            "The range leaves room for a late start of the {product}.",
        ),
        (
            "\"We give a range that we can defend,\" said {finance}.",
            "\"Visibility is what it was three months ago,\" chief executive {chief} said.",
            "\"Nobody here plans for the upper end,\" {finance} said.",
        ),
    ),
    "dividend": Script(
        ("cash", "pay"),
        (
            "{name} declares dividend of {cash} a share",
            "{short} {change_verb} its quarterly dividend at {cash}",
            "{name} to pay {cash} a share on {pay}",
            "Dividend: {short} pays {cash}",
            "{name} sets ex-date for its dividend",
        ),
        (
            "{name} will pay a quarterly dividend of {cash} a share on {pay}.",
            "The board of {name} declared {cash} a share, to be paid on {pay} to those who hold shares on {record}.",
            "Shareholders of {name} receive {cash} a share on {pay}; the shares trade without it from {ex}.",
            "{cash} a share: that is the dividend which {name} will pay on {pay}.",
        ),
        (
            "The dividend was {change_word}.",
            "The ex-date is {ex}.",
            "Those who are on record on {record} are entitled to it.",
            "The company pays every quarter.",
            "With that the dividend was {change_word}, as most had expected.",
            "The amount was {change_word}, the company said.",
        ),
        (
            "\"The dividend follows what we earn, not the mood of the market,\" said {finance}.",
            "\"We pay what we can pay again next year,\" finance chief {finance} said.",
        ),
    ),
    "rating": Script(
        ("to", "target"),
        (
            "{house} {moves} {name} to {to}",
            "{name} is now a {to} at {house}, target {target}",
            "Analyst {moves} {short} to {to}",
            "{house} sets target of {target} for {short}",
            "{analyst_last} of {house}: {to} for {name}",
        ),
        (
            "{analyst}, who follows {name} for {house}, {moved} the shares to {to} from {from} and set a target of "
            "{target}.",
            "{house} now rates {name} {to} instead of {from}. Its analyst {analyst} names {target} as the target.",
            "From {from} to {to}: {analyst} of {house} has changed the rating of {name}, with a target of {target}.",
            "{name} is a {to} with a target of {target} for {house}, which had called it a {from} until now.",
        ),
        (
            "The shares last closed at {close}.",
            "The analyst's report turns on what the {product} can earn.",
            "The report names the price of the shares as the main reason.",
            "Other houses have kept their ratings.",
            "The company did not comment.",
            "The target assumes that margins hold.",
            "Capital spending is the risk that the report names first.",
        ),
        (
            "\"The market pays too little attention to {product_brand},\" {analyst} wrote.",
            "\"What could go right or wrong is now in the price,\" wrote {analyst}.",
            "\"We like the company; the price is another question,\" {analyst} wrote.",
        ),
    ),
}  # fmt: skip
