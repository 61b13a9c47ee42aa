"""Pages about people: biographies of founders, and interviews with chief executives."""

from mcp_servers.world.calendar import SESSIONS, closes, plus, stamp
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies import words
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.pages.company import home, host
from mcp_servers.world.pages.draft import Draft, Pen, address, old
from mcp_servers.world.rows import Person

LIVES, CHAIRS = "foundersalmanac.example", "cornerchair.example"
OPENINGS = (
    "{name}, born in {birthplace} in {born}, founded {company}.",
    "The founder of {company}, {name}, was born in {born} in {birthplace}.",
    "{birthplace} is where {name} was born in {born}, long before there was a {company}.",
    "When {name} founded {company}, few knew the name. It belongs to a child of {birthplace}, born in {born}.",
)
PARENTS = (
    "The father was {trade}; the mother kept the books.", "Both parents worked: one was {trade}, the other taught.",
    "There were {children} children in the house, and a parent who was {trade}.", "The family lived from {trade_work}.",
)  # fmt: skip
TRADES = (
    ("a miller", "milling"), ("a watchmaker", "repairing watches"), ("a bus driver", "driving buses"),
    ("a beekeeper", "bees"), ("a typesetter", "setting type"), ("a surveyor", "surveying land"),
    ("a ferry captain", "the ferry"), ("a glazier", "glazing"), ("a piano tuner", "tuning pianos"),
)  # fmt: skip
STUDIES = (
    "After {school} came a first job as {job} at {pay} a week.",
    "A degree from {school} was followed by a job as {job}, for {pay} a week.",
    "There was a degree from {school}, and then, for {pay} a week, work as {job}.",
)
JOBS = (
    "a night porter", "a draughtsman", "a lift mechanic", "a proofreader", "a lighthouse assistant", "a telephonist",
    "a lab technician", "a crane operator", "a court clerk", "a seed tester",
)  # fmt: skip
HOBBIES = (
    "Spare time goes into {hobby}.", "Friends know of one passion: {hobby}.", "Sundays belong to {hobby}.",
    "Who wants to talk about something else than business should try {hobby}.",
)  # fmt: skip
PASTIMES = (
    "restoring clocks", "long-distance swimming", "moss", "brass bands", "old maps", "chess by letter", "fly fishing",
    "sourdough", "model railways", "bird song", "mountain huts", "bookbinding",
)  # fmt: skip
GIFTS = (
    "In {year}, a gift of {gift} went to the library of {place}.",
    "The swimming pool of {place} was saved in {year} with {gift}.",
    "{place} got {gift} for a new bandstand in {year}.",
)

QUESTIONS = (
    "Who is your largest customer?", "How much of your business hangs on one customer?",
    "Is there a customer you could not lose?",
)  # fmt: skip
LARGEST = (
    '"No names. But our largest customer stands for {share} of our sales."',
    '"{share} of what we sell goes to one customer. I would like it to be less."',
    '"One of them buys {share} of everything. We talk a lot."',
)
SUPPLY_QUESTIONS = ("And suppliers?", "How many suppliers do you have?", "What about those who supply you?")
SUPPLIERS = (
    '"We work with {count}. Three years ago there were twice as many."',
    '"{count}. I have met about a third of them."',
    '"At the moment, {count}, and each has a second source."',
)
YOUNG_QUESTIONS = ("Do you train people?", "What do you do for the young?", "Is it hard to find people?")
TRAINEES = (
    '"We have {trainees}, and we want {goal} by {year}."',
    '"Today {trainees}. The goal for {year} is {goal}."',
    '"By {year} there will be {goal}; today it is {trainees}."',
)
MORNINGS = ("How does your day begin?", "When do you get up?", "What do you do before work?")
HABITS = (
    "\"At {hour}, with {habit}. Nobody calls at {hour}.\"", "\"With {habit}. I am up at {hour}.\"",
    "\"I get up at {hour}, and then there is {habit} before anything else.\"",
)  # fmt: skip
RITUALS = ("a swim", "black tea and the weather report", "a walk with two dogs", "an hour of reading", "a cold shower")
CLOSINGS = (
    "The interview took place in {city}.", "We met in a room without a clock in {city}.",
    "We spoke for an hour, in {city}, over bad coffee.",
)  # fmt: skip


def founder_page(seed: int, firm: Firm, pen: Pen) -> Draft:
    """Return a biography of a company's founder."""
    stream, person = Stream(seed, "founder", firm.ticker), firm.founder
    name = person["name"]
    page = Draft(address(LIVES, "lives", name), f"{name}: a life", old(stream), [firm.ticker])
    trade, work = stream.pick(TRADES)
    begun = pen.write(
        OPENINGS,
        name=name,
        birthplace=page.know(name, "birthplace", person["birthplace"]),
        born=page.know(name, "year of birth", person["born"], text=str(person["born"])),
        company=firm.name,
    )
    parents = pen.write(PARENTS, trade=trade, trade_work=work, children=stream.pick(("three", "four", "six", "seven")))
    studied = pen.write(
        STUDIES,
        school=page.know(name, "school", person["school"]),
        job=page.know(name, "first job", stream.pick(JOBS)),
        pay=page.know(name, "first weekly pay", stream.whole(18, 240), "dollars"),
    )
    hobby = pen.write(HOBBIES, hobby=page.know(name, "pastime", stream.pick(PASTIMES)))
    gift = pen.write(
        GIFTS,
        year=stream.whole(2005, 2022),
        gift=page.know(name, "gift to the home town", stream.whole(4, 90) * 25_000, "dollars"),
        place=person["birthplace"],
    )
    page.say(f"# {name}", f"{begun} {parents}", f"{studied} {hobby}", gift)
    page.wishes = [(firm.name, home(firm)), ("How it began", address(host(firm), "history"))]
    return page


def interview_page(seed: int, firm: Firm, pen: Pen) -> Draft:
    """Return an interview with the chief executive at that time."""
    stream = Stream(seed, "interview", firm.ticker)
    day = SESSIONS[stream.whole(15, len(SESSIONS) - 15)]
    name = firm.chief(day)
    page = Draft(
        address(CHAIRS, day[:4], name, firm.name), f"{name} in the corner chair", stamp(closes(day)), [firm.ticker]
    )
    trainees = stream.whole(40, 900)
    page.say(
        f"# {name} in the corner chair",
        f"{name} leads {firm.name}. " + pen.write(CLOSINGS, city=firm.seat[0]),
        _asked(
            pen,
            QUESTIONS,
            LARGEST,
            share=page.know(firm.name, "share of the largest customer", stream.whole(6, 31), "per cent"),
        ),
        _asked(
            pen,
            SUPPLY_QUESTIONS,
            SUPPLIERS,
            count=page.know(firm.name, "number of suppliers", stream.whole(60, 2400), "suppliers"),
        ),
        _asked(
            pen,
            YOUNG_QUESTIONS,
            TRAINEES,
            trainees=page.know(firm.name, "number of trainees", trainees, "trainees"),
            goal=page.know(firm.name, "planned number of trainees", trainees + stream.whole(20, 400)),
            year=int(day[:4]) + stream.whole(2, 4),
        ),
        _asked(
            pen,
            MORNINGS,
            HABITS,
            hour=page.know(name, "hour of rising", stream.pick(("4:40", "5:10", "5:30", "6:00", "6:15", "7:20"))),
            habit=page.know(name, "morning habit", stream.pick(RITUALS)),
        ),
    )
    page.wishes = [(firm.name, home(firm)), ("Leadership", address(host(firm), "leadership"))]
    return page


def _asked(pen: Pen, questions: tuple[str, ...], answers: tuple[str, ...], **places: object) -> str:
    return f"**{pen.write(questions)}**\n\n{pen.write(answers, **places)}"


def portrait_page(seed: int, firm: Firm, person: Person, pen: Pen) -> Draft:
    """Return a portrait of a new chief executive, weeks after the change."""
    stream, name = Stream(seed, "portrait", firm.ticker), person["name"]
    day = plus(person["since"], stream.whole(8, 40))
    page = Draft(address(LIVES, "portraits", name), f"Who is {name}?", f"{day}T09:00:00Z", [firm.ticker])
    page.say(
        f"# Who is {name}?",
        pen.write(
            (
                "{name} has led {company} since {since}. Born in {birthplace} in {born}, with a degree from {school}.",
                "Since {since}, {company} has been led by {name}, who was born in {born} in {birthplace} and studied "
                "at {school}.",
            ),
            name=name,
            company=firm.name,
            since=words.day(person["since"]),
            birthplace=page.know(name, "birthplace", person["birthplace"]),
            born=page.know(name, "year of birth", person["born"], text=str(person["born"])),
            school=page.know(name, "school", person["school"]),
        ),
        pen.write(
            (
                "The career began as {job}. Before coming to the company there were {years} years abroad.",
                "{years} years abroad stand in the curriculum, and a first job as {job}.",
            ),
            job=page.know(name, "first job", stream.pick(JOBS)),
            years=page.know(name, "years abroad", stream.whole(2, 14), text=""),
        ),
        pen.write(HOBBIES, hobby=page.know(name, "pastime", stream.pick(PASTIMES))),
    )
    page.wishes = [(firm.name, home(firm))]
    return page
