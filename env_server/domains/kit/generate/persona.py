"""The caller beside their wish: their style, and a line of circumstances that no reward depends on.

The circumstances make instructions differ for people and language models who play the user. The scripted user uses the
style alone.
"""

from dataclasses import dataclass
from typing import Literal

from env_server.domains.kit.generate.asking import Voice

Style = Literal["plain", "chatty", "terse", "upset", "unsure", "foreign"]

_STYLES: tuple[Style, ...] = ("plain", "plain", "chatty", "terse", "upset", "unsure", "foreign")

MANNERS: dict[Style, tuple[str, ...]] = {
    "plain": (
        "You are polite.",
        "You keep to the matter in a friendly tone.",
        "Courtesy comes naturally to you.",
        "You stay calm and civil throughout.",
        "You answer plainly, without fuss.",
    ),
    "chatty": (
        "You are friendly and talkative.",
        "You love a chat and thank people a lot.",
        "Small talk is half the fun for you.",
        "You are in a sunny mood and show it.",
        "You tell more than was asked, cheerfully.",
    ),
    "terse": (
        "You are short of words.",
        "You never write two words where one will do.",
        "Brief answers are your habit.",
        "You type on a tiny phone and hate it.",
        "You are busy and clipped.",
    ),
    "upset": (
        "You are annoyed, though not rude.",
        "The whole affair has cost you your patience.",
        "You let them feel that you are displeased.",
        "You grumble, but you cooperate.",
        "You have had a bad day and it shows.",
    ),
    "unsure": (
        "You are unsure how these things work.",
        "You hesitate and like to be reassured.",
        "You have never done this before and say so.",
        "You second-guess yourself now and then.",
        "You apologise for asking.",
    ),
    "foreign": (
        "English is not your first language; your sentences are simple.",
        "You speak simple English with small mistakes.",
        "You learnt English late and leave out little words.",
        "Your grammar is shaky, your meaning is clear.",
        "You moved here recently and write as you speak.",
    ),
}

_JOBS = (
    "night nurse", "bus driver", "piano teacher", "beekeeper", "retired judge", "welder", "law student", "pastry chef",
    "park ranger", "dental hygienist", "tax clerk", "carpenter", "radio host", "crane operator", "librarian",
    "goat farmer", "translator", "glazier", "swimming coach", "bookbinder", "ferry captain", "chemist", "florist",
    "stage technician", "plumber", "surveyor", "baker", "violinist", "archivist", "roofer", "midwife", "cartographer",
    "locksmith", "puppeteer", "optician", "brewer", "stonemason", "tram conductor", "weaver", "astronomer",
    "paramedic", "cobbler", "gardener", "notary", "sailor", "potter", "referee", "typesetter", "upholsterer", "vet",
    "barber", "chimney sweep", "dispatcher", "engraver", "forester", "geologist", "harpist", "illustrator", "jeweller",
    "kindergarten teacher", "lifeguard", "milliner", "nanny", "oboist", "pharmacist", "quilter", "rower", "sculptor",
)  # fmt: skip
_MOMENTS = (
    "between two shifts", "from a parked car", "while soup is simmering", "on a delayed train", "during a lunch break",
    "from your garden", "with a toddler on your arm", "shortly before a concert", "from a hotel lobby", "in a queue",
    "after a long walk", "from the attic", "while laundry spins", "on a rainy balcony", "before the shop opens",
    "from a hospital canteen", "with paint on your hands", "from a campsite", "under a dripping roof",
    "while your dog barks", "on the way to choir practice", "from a borrowed laptop", "during half-time",
    "with a cold coffee beside you", "from a noisy workshop", "late in the evening", "at the crack of dawn",
    "while waiting for a kettle", "from your sister's kitchen", "in the middle of moving boxes", "after jury duty",
    "from a bench by the river", "with one bar of battery left", "before a flight lesson", "from the back of a taxi",
    "while bread is rising", "in a library corner", "from a barn", "during a power cut", "on a windy pier",
    "with gloves on", "while the printer jams", "from a chess club", "after the school run", "in a museum cafe",
)  # fmt: skip
_ASIDES_OF_LIFE = (
    "Your neighbor recommended calling rather than writing.",
    "You jot every answer down in a yellow notebook.",
    "A friend is listening in on the loudspeaker.",
    "Last time you were kept on hold for ages.",
    "You promised your partner to sort this out today.",
    "Somebody at work told you it would be quick.",
    "You have your papers spread over the table.",
    "Your reading glasses are nowhere to be found.",
    "The clock on your wall is ticking loudly.",
    "You once worked in customer service yourself.",
    "Numbers tend to swim before your eyes.",
    "Your grandmother taught you to say thank you twice.",
    "You would rather be fishing right now.",
    "A parcel for next door blocks your hallway.",
    "You are saving up for a canoe.",
    "The radio plays an old song you like.",
    "You dislike menus with numbers to press.",
    "Guests arrive in an hour.",
    "Your phone keeps correcting what you type.",
    "You had planned to do this last week.",
    "A cat walks over your keyboard now and then.",
    "You are proud of never losing your temper.",
    "Spelling things out is your pet peeve.",
    "You mention the weather if there is a chance.",
    "Your brother owes you a favor, but that is another story.",
    "You keep receipts in a biscuit tin.",
    "There is building noise outside.",
    "You speak up because your hearing is poor.",
    "You trust written confirmation more than promises.",
    "You are about to switch to a new computer.",
    "Your calendar is full for the rest of the week.",
    "You learnt of this number from an old letter.",
    "You like to be called by your first name.",
    "Whoever answers, you wish them a good day.",
    "You count on your fingers when sums come up.",
    "Nothing of this is urgent, but it nags you.",
)
_FRAMES = (
    "You are a {job} and get in touch {moment}.",
    "By trade a {job}, you do this {moment}.",
    "You work as a {job}; right now you write {moment}.",
    "It is {moment} that you find time for this, {job} that you are.",
    "Being a {job}, you squeeze this in {moment}.",
    "Picture a {job} who calls {moment}: that is you.",
    "{job}, newly self-employed, writing {moment}: such is your situation.",
    "Your passport says {job}. Here you are, {moment}.",
    # Kept for the held-out split.
    "For years you have been a {job}. You contact them {moment}.",
    "Somebody hired you as {job} not long ago; typing happens {moment}.",
    "They reach you {moment}; bread on your table comes from working as {job}.",
    "Friends introduce you as the {job}. Now, {moment}, this needs doing.",
    "Half {job}, half daydreamer, you get to it {moment}.",
)

_DAYS = (
    "Earlier today you {did} a {how} {what} {where}.",
    "Your head is still full of the {how} {what} that you {did} {where}.",
    "Yesterday, {where}, you {did} your {how} {what}.",
    "This week you {did} some {how} {what} {where}.",
    "You {did} one {how} {what} too many {where}.",
    "Since you {did} that {how} {what} {where}, you sleep badly.",
    "Two weeks after you {did} another {how} {what} {where}, visitors keep coming.",
    "Neighbors applauded when you {did} his {how} {what} {where}.",
    "Nobody knows who {did} the {how} {what} {where}, except you.",
    "Guess what: {where} you {did} her {how} {what}!",
    "Hardly anyone ever {did} so {how} a {what} {where}.",
)
_ROOM = (
    "Beside you stands a {how} {what}, next to it some {other} {thing}.",
    "A {how} {what} leans against your {other} {thing}.",
    "From your window one sees a {how} {what} and somebody's {other} {thing}.",
    "Your {how} {what} has to share its corner with a {other} {thing}.",
    "Soon you want to swap your {how} {what} for a {other} {thing}.",
    "A cousin left you both the {how} {what} and this {other} {thing}.",
    "Somewhere between {how} {what} and {other} {thing} lies your pencil.",
    "Behind every {how} {what} hides, you believe, one {other} {thing}.",
    "Paint from the {how} {what} dripped onto his {other} {thing}.",
    "Rent is paid in kind: {how} {what} today, {other} {thing} tomorrow.",
    "No {how} {what} fits inside their {other} {thing}, as you found out.",
)
_DID = (
    "repaired", "painted", "sold", "found", "borrowed", "admired", "cleaned", "carried", "dropped", "photographed",
    "wrapped", "tasted", "measured", "sketched", "rescued", "polished", "misplaced", "inherited", "traded", "watered",
    "unpacked", "described", "collected", "assembled", "donated", "sharpened", "stacked", "tuned", "glued", "weighed",
    "dusted", "mended", "hid", "won", "lost", "named", "varnished", "salvaged", "counted", "labelled",
)  # fmt: skip
_HOW = (
    "squeaky", "crimson", "wobbly", "ancient", "fragrant", "tiny", "stubborn", "velvet", "rusty", "crooked", "gilded",
    "noisy", "mossy", "striped", "hollow", "gigantic", "foldable", "spotless", "brittle", "woolly", "copper", "musty",
    "turquoise", "lopsided", "waxed", "patched", "humming", "frosted", "wicker", "dented", "leaky", "marbled",
    "bashful", "salty", "quilted", "spiral", "luminous", "feathered", "oaken", "knotted", "dusky", "tangled",
)  # fmt: skip
_WHAT = (
    "bicycle", "accordion", "teapot", "kite", "ladder", "lantern", "umbrella", "rocking chair", "typewriter", "canoe",
    "cactus", "birdhouse", "telescope", "wheelbarrow", "clock", "suitcase", "sledge", "mirror", "drum", "compass",
    "hammock", "puzzle", "rug", "barrel", "chessboard", "globe", "saddle", "loom", "anchor", "violin case", "scarecrow",
    "weathervane", "tandem", "aquarium", "music box", "greenhouse", "pram", "stamp album", "doll's house", "xylophone",
    "gramophone", "rowing boat", "tapestry", "candlestick", "beehive", "door knocker", "sundial", "trombone",
)  # fmt: skip
_WHERE = (
    "near the harbor", "at a flea market", "behind the chapel", "in your uncle's shed", "on the roof terrace",
    "beside the canal", "at the village hall", "under an old elm", "in the cellar", "outside the bakery",
    "by the railway bridge", "at a neighbor's wedding", "on the ferry", "in the allotment", "at the repair cafe",
    "along the towpath", "inside a church", "at the county fair", "across the street", "in the loft",
    "on a hillside", "at the scout camp", "between two puddles", "at the windmill", "in a friend's barn",
    "on the school stage", "at the pottery", "around the corner", "within the city walls", "above the workshop",
)  # fmt: skip

_KIN = (
    "aunt", "stepson", "landlady", "godfather", "twin", "roommate", "nephew", "mother-in-law", "colleague", "coach",
    "grandson", "tenant", "fiance", "pen friend", "goddaughter", "cousin", "half-brother", "dentist", "boss", "niece",
    "choirmaster", "lodger", "widowed uncle", "best man", "bandmate", "babysitter", "stepmother", "former teacher",
)  # fmt: skip
_KIN_DOES = (
    "raves about", "worries about", "collects", "writes songs about", "cannot stand", "lectures everybody on",
    "studies", "dreams of", "jokes about", "saves money for", "is afraid of", "quit smoking because of",
    "wins prizes with", "moved abroad for", "keeps postponing", "argues over", "teaches children", "swears by",
    "gave up", "stays awake over", "reads nothing but", "owns a shop for", "once broke a leg through", "blogs about",
)  # fmt: skip
_TOPICS = (
    "marzipan", "volcanoes", "tap dancing", "medieval coins", "alpine hiking", "sourdough", "jazz trumpets",
    "astrology", "vintage tractors", "kite surfing", "orchids", "crossword puzzles", "pickled herring", "opera",
    "beekeeping", "model railways", "archery", "Latin grammar", "ice skating", "mushrooms", "puppet theatre", "tax law",
    "lighthouses", "sheepdogs", "calligraphy", "steam engines", "cricket", "goat cheese", "shadow boxing", "whales",
    "fencing", "Baltic amber", "crime novels", "pottery", "spelling bees", "yodelling", "cave paintings",
    "hot chocolate", "roller coasters", "chess openings", "garden gnomes", "meteor showers", "card tricks",
    "bagpipes", "tulips",
)  # fmt: skip
_LATELY = (
    "these days", "as ever", "with growing zeal", "of late", "in all weathers", "behind closed doors", "for charity",
    "at great expense", "every winter", "against all advice", "since retirement", "out of spite", "on weekends",
    "without a break", "more than is wise", "to everybody's surprise", "in secret", "as a matter of principle",
)  # fmt: skip

_QUESTIONS = (
    "By the way, are you a real person?",
    "Oh, and is it always this busy at your end?",
    "Out of curiosity, what are your opening hours?",
    "Before I forget, do you have an app?",
    "Is it raining where you are, too?",
    "Just wondering, how long have you been working there?",
    # Kept for the held-out split.
    "May I ask in between where your office is?",
    "Do you happen to know whether you are open on Sundays?",
    "On another note, can I rate this conversation later?",
    "While I have you, do you get many calls like mine?",
)

ASKS_ASIDE = 0.1
"""The share of callers who ask an unrelated question in between."""

SAYS_ALL = 0.2
"""The share of callers who bring up all their wishes at once."""


@dataclass(frozen=True)
class Persona:
    """A caller's style, and a line about them."""

    style: Style
    line: str
    at_once: bool
    aside: str | None


def persona(voice: Voice) -> Persona:
    """Return a caller's persona, with wordings of the voice's split."""
    rng = voice.rng
    style = rng.choice(_STYLES)
    circumstances = voice.pick(*_FRAMES).format(job=rng.choice(_JOBS), moment=rng.choice(_MOMENTS))
    day = rng.choice(_DAYS).format(
        did=rng.choice(_DID), how=rng.choice(_HOW), what=rng.choice(_WHAT), where=rng.choice(_WHERE)
    )
    room = rng.choice(_ROOM).format(
        how=rng.choice(_HOW), what=rng.choice(_WHAT), other=rng.choice(_HOW), thing=rng.choice(_WHAT)
    )
    kin = f"Your {rng.choice(_KIN)} {rng.choice(_KIN_DOES)} {rng.choice(_TOPICS)} {rng.choice(_LATELY)}."
    about = f"{day} {room} {kin} {rng.choice(_ASIDES_OF_LIFE)}"
    at_once, asks = rng.random() < SAYS_ALL, rng.random() < ASKS_ASIDE
    line = f"{circumstances} {about} {rng.choice(MANNERS[style])}"
    return Persona(style, line, at_once, voice.pick(*_QUESTIONS) if asks else None)
