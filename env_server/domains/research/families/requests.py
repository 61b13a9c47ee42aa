"""Read a request in Slack, or correct a colleague there, and report in the right place."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from env_server.domains.kit import Answer, GoldCall, ShownFact
from env_server.domains.research.case import Case
from env_server.domains.research.draft import EXACT, Draft, Template, number, proof
from env_server.domains.research.families import calls, compute, prices, reports, web
from env_server.domains.research.wording import plain, short
from mcp_servers.world import calendar, read
from mcp_servers.world.companies.words import capital, money, price
from mcp_servers.world.rows import Message
from mcp_servers.world.workspace.lines import LINES

ROOMS = ("data-requests", "research-desk")
"""The channels in which members ask questions."""

OPEN = (
    "{user} asked something in #{channel} that nobody has answered yet. Find it out, reply in the thread of the "
    "question (one message with the figure or name), and submit the same answer.",
    "There is an open question of {user} in #{channel}. Please answer it in its thread, once, and submit your answer "
    "as well.",
    "Have a look at #{channel}: the last question of {user} is without an answer. Look it up, post the result into "
    "that thread, and submit it.",
    "Take care of what {user} asked last in #{channel}. Your answer belongs in the thread of the question, in a single "
    "message, and into your submission.",
    "Nobody has come back to {user} in #{channel} yet. Please do, inside the thread and with one message, and hand "
    "in the answer too.",
)


def open_question(case: Case) -> Draft | None:
    """Ask for the answer to a question of the workspace, before somebody answers it there."""
    channel = case.rng.choice(ROOMS)
    question, thread = case.rng.choice(_questions(case, channel))
    asked = read.moment(question["ts"])
    latest = read.moment(thread[1]["ts"]) if len(thread) > 1 else asked + timedelta(hours=30)
    now = asked + (min(latest, asked + timedelta(hours=30)) - asked) * case.rng.uniform(0.15, 0.9)
    now = now.replace(microsecond=0)
    found = _answer(case, question, now)
    later = [t[0] for t in case.library.threads.values() if question["ts"] < t[0]["ts"] <= str(int(now.timestamp()))]
    if any((m["user"], m["channel"]) == (question["user"], question["channel"]) for m in later):
        return None
    if found is None or now > calendar.NOW or calendar.stamp(now) < "2024-01-08":
        return None
    answer, evidence, looks, pages = found
    ask = case.say(OPEN, user=case.library.users[question["user"]]["real_name"], channel=channel)
    reply = calls.reply(channel, question["ts"], told(answer))
    gold = (calls.channel(channel), *looks, reply)
    threads = (question["id"],)
    tickers = tuple(question["tickers"])
    return Draft(ask, now, answer, (proof(question["text"]), *evidence), gold, tickers, pages, threads)


def _questions(case: Case, channel: str) -> list[tuple[Message, list[Message]]]:
    """Return the questions about companies of the split that begin a thread, with their threads."""
    room, own = case.library.channels[channel]["id"], set(case.library.tickers(case.split))
    found = []
    for (where, ts), thread in case.library.threads.items():
        first = thread[0]
        if where == room and first["ts"] == ts and set(first.get("tickers", ())) & own and "<" not in first["text"]:
            found.append((first, thread))
    return found


Found = tuple[Answer, tuple[ShownFact, ...], tuple[GoldCall, ...], tuple[str, ...]]


def _answer(case: Case, question: Message, now: datetime) -> Found | None:
    """Return the answer to a question of the workspace with its evidence, look-ups and pages."""
    (ticker,), about, asked = question["tickers"], question["about"], question["text"].lower()
    if about.startswith("https"):
        page = case.library.pages[about]
        for fact in page["facts"]:
            known = {each["value"] for each, _ in case.library.told(fact["subject"], fact["attribute"])}
            if fact["attribute"] in asked and fact["subject"].lower() in asked and len(known) == 1:
                looks = (calls.search(f"{fact['subject']} {fact['attribute']}"), calls.page(about))
                shown = proof(web.sign_of(fact["subject"]), fact["text"])
                return web.answer_of(fact), (shown,), looks, (about,)
        return None
    where = about.partition(":")[2]
    if "-Q" in where:
        row = next((each for each in case.library.quarters(ticker, now) if each["id"] == about), None)
        line = next((key for key, called in LINES.items() if called in asked), None)
        if row is None or line is None or row["income"][line] <= 0:
            return None
        value = row["income"][line]
        return number(value, "USD"), (proof(ticker, value),), (calls.income(ticker, quarterly=True, limit=3),), ()
    if any(split["date"] > where for split in read.splits(case.library.store, ticker, now)):
        return None
    value = case.library.bar(ticker, where, now)["close"]
    return number(value, "USD", EXACT), (proof(ticker, value),), (calls.bars(ticker, where, where),), ()


ASKED = (
    "{user} has just written a request in #{channel}. Do what it asks, reply with the result in its thread (one "
    "message), and submit the result.",
    "See the newest message of {user} in #{channel}. Work it out, answer in that thread with a single reply, and "
    "submit the answer.",
    "There is a fresh request by {user} in #{channel}. Answer it where it was asked, in the thread, once; then submit.",
    "Please handle what {user} wrote in #{channel} just now: one reply in the thread that states the result, then your "
    "submission.",
    "{user} is waiting in #{channel}. Their latest message says what for; reply below it, once, and submit what "
    "you replied.",
    "Go to #{channel}, read the last thing {user} posted, and get it done: result into the thread (a single "
    "reply), result into the submission.",
)
GREETINGS = ("Hi all, ", "Hello, ", "Morning. ", "For whoever is free: ", "Data request. ", "Hey team, ", "")
ASKABLE = {
    "price", "extreme", "busiest-day", "line", "latest-line", "growth", "margin", "return", "average", "day-count",
    "ahead", "web-fact", "biggest-site",
}  # fmt: skip
INNER: Sequence[Template] = tuple(
    template for module in (prices, reports, compute, web) for template in module.TEMPLATES if template.name in ASKABLE
)
"""The templates whose questions a colleague may ask."""


def fresh_request(case: Case) -> Draft | None:
    """Ask for the answer to a request that a colleague has just posted."""
    template = case.rng.choice(INNER)
    inner = template.make(case)
    if inner is None:
        return None
    channel = case.rng.choice(ROOMS)
    room = case.library.channels[channel]
    user = case.rng.choice([u for u in room["members"] if not case.library.users[u]["is_bot"]])
    at = inner.now - timedelta(minutes=case.rng.randint(3, 25))
    ts = f"{int(at.timestamp())}.{case.rng.randint(1000, 9999)}{case.rng.randint(0, 9)}9"
    written = f"{case.rng.choice(GREETINGS)}{inner.ask} {form_of(inner.answer)}".strip()
    row = {"id": f"{room['id']}:{ts}", "channel": room["id"], "ts": ts, "user": user, "text": written, "reactions": []}
    ask = case.say(ASKED, user=case.library.users[user]["real_name"], channel=channel)
    gold = (calls.channel(channel, 5), *inner.calls, calls.reply(channel, ts, told(inner.answer)))
    return replace(
        inner,
        ask=ask,
        evidence=(proof(inner.ask), *inner.evidence),
        calls=gold,
        threads=(row["id"],),
        inner=template.name,
        initial={"messages": {row["id"]: row}},
    )


REPORT = (
    "{ask} Post the result as one message to #{channel}, and submit it.",
    "{ask} When you have it, write it to #{channel} (a new message, just one) and submit it.",
    "{ask} The people in #{channel} should read the result there: one new message. Submit it too.",
    "{ask} Report it to #{channel} in a single new message, then submit.",
    "{ask} That belongs into #{channel}, as one fresh message, and into your submission.",
    "{ask} Share the outcome with #{channel} by a single message of its own; submit it as well.",
)


def report(case: Case) -> Draft | None:
    """Ask for a result that is also to be posted in a channel."""
    template = case.rng.choice(INNER)
    inner = template.make(case)
    if inner is None:
        return None
    channel = case.rng.choice(("earnings-watch", "general", "research-desk", "web-clippings", "deals-and-courts"))
    ask = case.say(REPORT, ask=inner.ask, channel=channel)
    gold = (*inner.calls, calls.post(channel, told(inner.answer)))
    return replace(inner, ask=ask, calls=gold, inner=template.name)


CORRECT = (
    "Somebody has just given a wrong figure in a thread on {name} in #{channel}. Find the right one in the news, reply "
    "with it in that thread (one message), and submit it.",
    "In #{channel} the thread about {name} now holds a figure that is not what was reported. Put it right with one "
    "reply in the thread, and submit the right figure.",
    "The last reply in the thread on {name} in #{channel} states a wrong number. Check the news, correct it in the "
    "thread with a single message, and submit the correct number.",
    "A colleague misremembers a figure about {name} in a thread of #{channel}. Correct it there, once, with what was "
    "reported, and submit that figure.",
)
FIGURES = ("eps", "revenue", "amount", "jobs", "units", "value", "price", "workers", "patients", "hours", "days")


def correction(case: Case) -> Draft | None:
    """Ask for a wrong figure of a thread to be corrected, before somebody does it there."""
    own = set(case.library.tickers(case.split))
    wrong = [
        (i, thread)
        for thread in case.library.threads.values()
        for i, message in enumerate(thread)
        if message.get("flaw") and set(message.get("tickers", ())) & own and i + 1 < len(thread)
    ]
    at, thread = case.rng.choice(wrong)
    event = case.library.events[thread[at]["about"]]
    begins, ends = (read.moment(thread[i]["ts"]) for i in (at, at + 1))
    now = (begins + (ends - begins) * case.rng.uniform(0.3, 0.9)).replace(microsecond=0)
    right = thread[at + 1]["text"]
    seen = [article for article in case.library.seen(event, now) if "flaw" not in article]
    name = next((n for n in FIGURES if n in event["facts"] and plainly(event["facts"][n], right)), None)
    if not seen or name is None or any("flaw" in article for article in case.library.seen(event, now)):
        return None
    shown = plainly(event["facts"][name], right)
    if not any(shown in article["text"].split("\n")[0] for article in seen) or calendar.stamp(now) < "2023-09-01":
        return None
    value = float(event["facts"][name])
    unit = "USD" if name in ("eps", "revenue", "amount", "value", "price") else name
    channel = next(c["name"] for c in case.library.channels.values() if c["id"] == thread[0]["channel"])
    ticker = event["ticker"] if event["ticker"] in own else event["other"]
    ask = case.say(CORRECT, name=case.library.title(ticker), channel=channel)
    root = thread[0]["ts"]
    day = seen[0]["at"][:10]
    gold = (
        calls.channel(channel),
        calls.thread(channel, root),
        calls.news(ticker, day, day),
        calls.reply(channel, root, told(number(value, unit))),
    )
    evidence = (proof(thread[at]["text"]), proof(short(case.library.title(ticker)), shown.strip("$").split()[0]))
    return Draft(ask, now, number(value, unit), evidence, gold, (ticker,), (), (thread[0]["id"],))


def plainly(fact: object, sentence: str) -> str:
    """Return how a sentence writes a figure; an empty text if it does not."""
    if isinstance(fact, str):
        return ""
    assert isinstance(fact, int | float)
    forms = (money(fact), price(fact), f"{fact:,}")
    return next((form for form in forms if form in sentence), "")


def told(answer: Answer) -> str:
    """Return the sentence by which gold reports an answer."""
    if isinstance(answer.value, float):
        return f"The result is {plain(answer.value)} {answer.unit}."
    if isinstance(answer.value, tuple):
        return f"The order is {', '.join(answer.value)}."
    return f"The answer is {answer.value}."


def form_of(answer: Answer) -> str:
    """Return a colleague's sentence about the form of the result."""
    if answer.kind == "number" and answer.unit:
        return f"({capital(answer.unit.replace('%', 'per cent'))}, please.)"
    return ""


TEMPLATES = (
    Template("open-question", "request in Slack", "hard", open_question, weight=2),
    Template("fresh-request", "request in Slack", "hard", fresh_request, weight=3),
    Template("report", "request in Slack", "medium", report, weight=2),
    Template("correction", "request in Slack", "hard", correction),
)
