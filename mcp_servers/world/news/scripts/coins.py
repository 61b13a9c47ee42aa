"""Scripts for the crypto pairs."""

from mcp_servers.world.news.scripts.script import Script

SCRIPTS = {
    "coin:upgrade": Script(
        ("client", "version", "active"),
        (
            "{coin} upgrade {version} set for {active_short}",
            "{client} {version} prepares {coin} for lower fees",
            "What the {client} upgrade changes for {coin}",
            "{coin}: developers agree on {client} {version}",
        ),
        (
            "Version {version} of the {client} client for {coin} becomes active on {active}.",
            "The developers of {coin} have set {active} for version {version} of {client}.",
            "{coin} moves to {client} {version} on {active}, its developers agreed.",
        ),
        (
            "Fees should fall by {fees} per cent.",
            "Those who run nodes must update before that day.",
            "Test networks have run it for weeks.",
            "The coin last traded at {close}.",
            "An earlier date had slipped twice.",
            "The aim is to cut fees by {fees} per cent.",
        ),
    ),
    "coin:outage": Script(
        ("platform", "hours"),
        (
            "{platform} halts {coin} trading for {hours}",
            "{coin} slips as {platform} goes dark",
            "Outage at {platform}",
            "{hours} without {coin} trading at {platform}",
        ),
        (
            "{platform} could not trade {coin} for {hours}.",
            "Trading of {coin} at {platform} stood still for {hours}.",
            "For {hours}, customers of {platform} could neither buy nor sell {coin}.",
        ),
        (
            "Customers' coins are safe, the platform said.",
            "The cause was a full disk.",
            "Some customers ask for damages.",
            "The coin last traded at {close}.",
            "Other platforms were busy in that time.",
        ),
    ),
    "coin:listing": Script(
        ("platform", "begins"),
        (
            "{platform} lists {coin} contracts",
            "{coin} comes to {platform}",
            "{platform} opens {coin} trading on {begins_short}",
            "New market for {coin}",
        ),
        (
            "{platform} will offer contracts on {coin} from {begins}.",
            "From {begins}, contracts on {coin} trade at {platform}.",
            "{coin} gets another market: {platform} starts on {begins}.",
        ),
        (
            "Fees are waived for the first month.",
            "The coin last traded at {close}.",
            "The platform had tried the contracts with a few members.",
            "Only members with a licence may take part.",
            "Volumes elsewhere have been thin.",
        ),
    ),
    "coin:rule": Script(
        ("region", "begins", "reserve"),
        (
            "{region} regulators want {reserve} per cent reserves for {coin}",
            "New rule for {coin} holders from {begins}",
            "{coin}: {region} rule takes shape",
            "Reserves of {reserve} per cent: {region} rule for {coin}",
        ),
        (
            "Firms that hold {coin} for customers in the {region} region must keep {reserve} per cent in reserve from "
            "{begins}.",
            "{region} regulators ask for a reserve of {reserve} per cent from {begins} of those who hold {coin}.",
            "From {begins}, a reserve of {reserve} per cent applies to {coin} in the {region} region.",
        ),
        (
            "Smaller firms have asked for more time.",
            "The coin last traded at {close}.",
            "The draft had been lighter.",
            "The rule covers other coins as well.",
            "Lawyers call it the strictest so far.",
        ),
    ),
    "coin:week": Script(
        ("coin", "week_close", "week_change"),
        (
            "{coin} {week_verb} in the week to {week_end_short}",
            "{coin} ends the week at {week_close}",
            "Week in {coin}: {week_change}",
            "{coin} between {week_low} and {week_high}",
        ),
        (
            "{coin} {week_change} in the week to {week_end} and stood at {week_close} at the end.",
            "At {week_close}, {coin} closed a week in which it {week_change}.",
            "The week to {week_end} left {coin} at {week_close}; it {week_change}.",
        ),
        (
            "The highest price was {week_high}, the lowest {week_low}.",
            "Dealers named no single reason.",
            "It moved between {week_low} and {week_high}.",
            "Funds bought, dealers said, and small holders sold.",
            "Options point to calmer days.",
            "Miners were not seen as sellers.",
        ),
    ),
}  # fmt: skip
