"""The shop's 50 products with three option axes each, and the drawing of their variants."""

from itertools import product
from random import Random
from typing import Any, NamedTuple

from env_server.domains.kit import fresh


class Wares(NamedTuple):
    """The template of a product: its name, typical price in dollars and options (`axis: a, b, c; ...`)."""

    name: str
    price: int
    options: str


KINDS = (
    Wares("Rain Jacket", 118, "color: moss, navy, rust; size: S, M, L, XL; lining: mesh, fleece"),
    Wares("Wool Sweater", 94, "color: oat, charcoal, plum; size: S, M, L; collar: round, rolled, open"),
    Wares("Hiking Socks", 21, "color: grey, teal, brown; size: S, M, L; pairs: 2, 4"),
    Wares("Canvas Sneakers", 73, "color: white, olive, coral; size: 7, 8, 9, 10; sole: flat, ridged"),
    Wares("Linen Shirt", 62, "color: sand, sky, white; size: S, M, L, XL; sleeve: short, long"),
    Wares("Winter Gloves", 38, "color: black, wine, grey; size: S, M, L; palm: leather, knit"),
    Wares("Straw Hat", 35, "color: natural, honey, black; size: S, M, L; brim: narrow, wide"),
    Wares("Leather Belt", 44, "color: tan, black, oxblood; length: 80 cm, 95 cm, 110 cm; buckle: brass, steel"),
    Wares("Day Pack", 89, "color: slate, fern, amber; capacity: 18 L, 24 L, 30 L; closure: zip, roll"),
    Wares("Travel Duffel", 132, "color: ink, khaki, clay; capacity: 40 L, 60 L, 80 L; wheels: none, two"),
    Wares("Phone Stand", 27, "color: silver, graphite, pearl; joint: fixed, folding; base: round, square, clamp"),
    Wares("Desk Lamp", 68, "color: white, black, copper; light: warm, neutral, daylight; mount: base, clamp"),
    Wares("Reading Light", 24, "color: white, blue, lime; power: battery, cable; levels: 2, 3, 5"),
    Wares("Office Mat", 41, "color: grey, clear, sand; size: small, medium, large; grip: smooth, studded"),
    Wares("Monitor Arm", 127, "color: silver, black, white; load: 6 kg, 9 kg, 14 kg; mount: clamp, grommet"),
    Wares("Mechanical Keypad", 56, "color: ivory, black, mint; switch: linear, tactile, silent; link: cable, radio"),
    Wares("Trackball", 81, "color: black, grey, red; hand: left, right, either; link: cable, radio"),
    Wares("USB Hub", 47, "ports: 4, 6, 8; case: plastic, aluminium; power: bus, adapter, both"),
    Wares("Portable Charger", 59, "color: black, white, sage; capacity: 5 Ah, 10 Ah, 20 Ah; cable: none, built-in"),
    Wares("Studio Headset", 164, "color: black, walnut, white; fit: on-ear, over-ear; link: cable, radio, both"),
    Wares("Shower Radio", 49, "color: white, aqua, yellow; power: battery, solar, cable; tuning: dial, digital"),
    Wares("Kitchen Scale", 33, "color: steel, white, black; limit: 3 kg, 5 kg, 10 kg; power: battery, usb"),
    Wares("Chef Knife", 97, "blade: 16 cm, 20 cm, 24 cm; handle: walnut, resin, steel; edge: plain, hollow"),
    Wares("Cutting Board", 36, "wood: beech, acacia, bamboo; size: small, medium, large; groove: no, yes"),
    Wares("Cast Iron Pan", 58, "size: 20 cm, 24 cm, 28 cm; handle: iron, wood, loop; coat: raw, enamel"),
    Wares("Tea Kettle", 66, "color: steel, cream, sage; capacity: 1.0 L, 1.5 L, 1.7 L; whistle: no, yes"),
    Wares("Coffee Grinder", 104, "color: black, steel, red; burr: ceramic, steel; drive: hand, motor, both"),
    Wares("Pour-Over Set", 52, "color: clear, smoke, white; cups: 2, 4, 6; filter: paper, mesh"),
    Wares("Lunch Box", 29, "color: blue, peach, grey; layers: 1, 2, 3; material: steel, plastic"),
    Wares("Insulated Mug", 31, "color: navy, lemon, steel; volume: 300 ml, 400 ml, 500 ml; lid: press, screw"),
    Wares("Spice Rack", 45, "wood: oak, pine, walnut; jars: 8, 12, 16; mount: wall, shelf"),
    Wares("Bath Towel Set", 57, "color: white, fog, terracotta; pieces: 2, 4, 6; weave: terry, waffle"),
    Wares("Linen Sheets", 139, "color: white, flax, mist; size: twin, queen, king; fit: flat, fitted"),
    Wares("Down Pillow", 79, "size: standard, queen, king; firmness: soft, medium, firm; cover: cotton, satin"),
    Wares("Weighted Blanket", 112, "color: grey, dusk, moss; weight: 5 kg, 7 kg, 9 kg; shell: cotton, fleece"),
    Wares("Wall Clock", 54, "color: white, black, oak; face: numbers, lines, blank; size: 25 cm, 35 cm"),
    Wares("Picture Frame", 26, "color: oak, black, gold; size: A5, A4, A3; glass: clear, matte"),
    Wares("Floor Cushion", 48, "color: indigo, mustard, stone; shape: round, square; filling: foam, kapok, wool"),
    Wares("Plant Pot", 23, "color: white, terracotta, slate; size: 12 cm, 18 cm, 25 cm; saucer: no, yes"),
    Wares("Garden Shears", 39, "blade: short, medium, long; handle: ash, rubber, cork; lock: thumb, strap"),
    Wares("Watering Jug", 34, "color: green, zinc, cream; capacity: 2 L, 5 L, 8 L; rose: fixed, loose"),
    Wares("Bike Light", 43, "mount: bar, seat post, helmet; beam: 200 lm, 400 lm, 800 lm; power: battery, usb"),
    Wares("Bike Pump", 37, "color: silver, black, orange; gauge: none, dial, digital; length: mini, floor"),
    Wares("Camping Stove", 86, "fuel: gas, spirit, wood; burners: 1, 2; base: folding, fixed, tripod"),
    Wares("Sleeping Mat", 99, "color: moss, ember, grey; length: 168 cm, 183 cm, 198 cm; core: foam, air"),
    Wares("Trekking Poles", 76, "grip: cork, foam, rubber; lock: lever, twist; length: short, medium, long"),
    Wares("Yoga Block", 22, "color: violet, stone, teal; material: foam, cork; size: slim, standard, wide"),
    Wares("Jump Rope", 19, "rope: steel, bead, cotton; length: 2.4 m, 2.7 m, 3.0 m; handle: wood, foam"),
    Wares("Chess Set", 83, "wood: maple, walnut, ebony; board: folding, solid; size: 30 cm, 40 cm, 50 cm"),
    Wares("Paint Box", 61, "paint: watercolor, gouache, acrylic; colors: 12, 24, 36; case: tin, wood"),
)

_AVAILABLE = 0.75
_FEWEST_AVAILABLE = 4


def products(rng: Random) -> list[dict[str, Any]]:
    """Return the product rows, each with 8 to 14 variants of distinct options and prices, at least 4 in stock."""
    rows: list[dict[str, Any]] = []
    taken: set[str] = set()
    for kind in KINDS:
        variants = _variants(rng, kind, taken)
        rows.append({"name": kind.name, "product_id": fresh(rng, taken, 10), "variants": variants})
    return sorted(rows, key=lambda row: str(row["product_id"]))


def _variants(rng: Random, kind: Wares, taken: set[str]) -> dict[str, dict[str, Any]]:
    axes = {axis: values.split(", ") for axis, values in (part.split(": ") for part in kind.options.split("; "))}
    combinations = list(product(*axes.values()))
    chosen = rng.sample(combinations, min(len(combinations), rng.randint(8, 14)))
    cents = rng.sample(range(kind.price * 88, kind.price * 115), len(chosen))
    in_stock = set(rng.sample(range(len(chosen)), _FEWEST_AVAILABLE))
    variants: dict[str, dict[str, Any]] = {}
    for i, values in enumerate(chosen):
        item_id = fresh(rng, taken, 10)
        variants[item_id] = {
            "item_id": item_id,
            "options": dict(zip(axes, values, strict=True)),
            "available": i in in_stock or rng.random() < _AVAILABLE,
            "price": cents[i] / 100,
        }
    return variants
