"""The industries of the world: their typical finances, products and sites."""

from typing import NamedTuple


class Industry(NamedTuple):
    """The common traits of companies in one industry. Shares are of revenue."""

    sector: str
    gross: float
    """Gross margin."""
    research: float
    selling: float
    growth: float
    """Revenue growth in a typical year."""
    plant: float
    """Property, plant and equipment, as a share of a year's revenue."""
    inventory: float
    """Inventory, as a share of a quarter's cost of revenue."""
    deviation: float
    """Deviation of the daily idiosyncratic return."""
    payer: bool
    """Whether companies in the industry usually pay dividends."""
    season: tuple[float, float, float, float]
    """Revenue of the calendar quarters relative to their mean."""
    form: str
    """The form of the products: a key of `specifications.FORMS`."""
    site: str
    """The noun for its production sites."""
    makes: tuple[str, ...]
    """Kinds of products."""
    buys: tuple[str, ...]
    """Goods that the industry buys from suppliers."""

    @property
    def deferred(self) -> float:
        """Return customer prepayments as a share of a quarter's revenue."""
        return 0.5 if self.form == "service" else 0.06


FLAT = (1.0, 1.0, 1.0, 1.0)
YEAR_END = (0.94, 0.96, 0.98, 1.12)
SUMMER = (0.95, 1.03, 1.05, 0.97)
HOLIDAYS = (0.88, 0.94, 0.96, 1.22)
SPRING = (0.95, 1.02, 0.98, 1.05)
WINTER = (1.08, 0.94, 0.94, 1.04)
TECH, INDUSTRY, MEDIA = "Technology", "Industrials", "Communication Services"
HEALTH, MATERIALS, STAPLES = "Healthcare", "Basic Materials", "Consumer Defensive"
CYCLICAL, ENERGY, FINANCE = "Consumer Cyclical", "Energy", "Financial Services"
ESTATE, UTILITIES = "Real Estate", "Utilities"

INDUSTRIES = {
    "Semiconductors": Industry(
        TECH, 0.55, 0.17, 0.09, 0.13, 0.55, 0.55, 0.016, False, YEAR_END, "device", "fab",
        ("photonic switch", "edge inference chip", "power controller", "memory controller", "radio front end"),
        ("silicon wafers", "process gases", "test handlers", "photomasks"),
    ),
    "Consumer Electronics": Industry(
        TECH, 0.40, 0.08, 0.13, 0.08, 0.20, 0.40, 0.015, True, (0.92, 0.93, 0.97, 1.18), "device", "assembly plant",
        ("tablet", "wireless speaker", "smart display", "headset", "home camera"),
        ("controller chips", "displays", "battery cells", "moulded housings"),
    ),
    "Industrial Machinery": Industry(
        INDUSTRY, 0.38, 0.05, 0.16, 0.07, 0.30, 0.70, 0.012, True, (0.95, 1.01, 1.0, 1.04), "machine", "works",
        ("packaging line", "palletising robot", "vision inspection cell", "machining centre", "warehouse shuttle"),
        ("servo drives", "control chips", "castings", "linear bearings"),
    ),
    "Electrical Equipment": Industry(
        INDUSTRY, 0.36, 0.04, 0.15, 0.06, 0.28, 0.65, 0.012, True, FLAT, "machine", "works",
        ("servo drive", "industrial motor", "linear actuator", "motion controller"),
        ("copper winding wire", "magnets", "power modules", "castings"),
    ),
    "Software - Application": Industry(
        TECH, 0.76, 0.21, 0.33, 0.16, 0.08, 0.05, 0.017, False, (0.96, 0.99, 1.0, 1.05), "service", "campus",
        ("planning suite", "billing platform", "field service app", "contract archive", "analytics workspace"),
        ("cloud capacity", "identity services", "translation services"),
    ),
    "Software - Infrastructure": Industry(
        TECH, 0.72, 0.22, 0.29, 0.18, 0.18, 0.05, 0.018, False, (0.95, 0.98, 1.01, 1.06), "service", "data centre",
        ("database service", "identity gateway", "endpoint shield", "log archive", "message broker"),
        ("network transit", "server racks", "colocation space"),
    ),
    "Telecommunications Services": Industry(
        MEDIA, 0.56, 0.01, 0.28, 0.03, 1.10, 0.06, 0.010, True, FLAT, "service", "exchange",
        ("fibre plan", "business line", "roaming package", "private network", "home gateway"),
        ("optical cable", "radio units", "handsets", "tower leases"),
    ),
    "Entertainment": Industry(
        MEDIA, 0.42, 0.03, 0.22, 0.07, 0.22, 0.08, 0.018, False, (0.93, 0.99, 1.02, 1.06), "show", "studio",
        ("drama series", "animated feature", "concert film", "quiz show", "nature series"),
        ("visual effects", "streaming capacity", "soundstage leases"),
    ),
    "Internet Content": Industry(
        MEDIA, 0.66, 0.18, 0.25, 0.14, 0.25, 0.02, 0.020, False, YEAR_END, "service", "campus",
        ("classifieds site", "travel guide", "recipe network", "map service", "short video app"),
        ("cloud capacity", "content moderation", "mapping data"),
    ),
    "Medical Devices": Industry(
        HEALTH, 0.62, 0.09, 0.27, 0.08, 0.25, 0.75, 0.013, True, (0.98, 1.0, 0.98, 1.04), "device", "plant",
        ("infusion pump", "heart monitor", "surgical stapler", "hip implant", "endoscope"),
        ("medical polymers", "optical glass", "sterile packaging", "micro motors"),
    ),
    "Diagnostics & Research": Industry(
        HEALTH, 0.57, 0.10, 0.24, 0.08, 0.24, 0.60, 0.014, False, (1.05, 0.98, 0.95, 1.02), "device", "laboratory",
        ("blood analyser", "rapid test reader", "sequencing bench", "tissue scanner"),
        ("reagents", "glass slides", "microfluidic plates"),
    ),
    "Biotechnology": Industry(
        HEALTH, 0.82, 0.34, 0.24, 0.17, 0.22, 0.80, 0.024, False, FLAT, "drug", "research centre",
        ("antibody for asthma", "gene therapy for blindness", "vaccine candidate", "enzyme therapy"),
        ("cell culture media", "clinical trial services", "cold storage"),
    ),
    "Drug Manufacturers": Industry(
        HEALTH, 0.68, 0.17, 0.25, 0.05, 0.32, 0.90, 0.012, True, FLAT, "drug", "plant",
        ("blood pressure tablet", "insulin pen", "migraine spray", "antibiotic syrup"),
        ("active ingredients", "glass vials", "blister packs"),
    ),
    "Household Products": Industry(
        STAPLES, 0.47, 0.02, 0.27, 0.04, 0.24, 0.55, 0.010, True, (0.98, 1.0, 1.0, 1.02), "goods", "factory",
        ("laundry liquid", "dish tablet", "hand cream", "surface cleaner", "scented candle"),
        ("surfactants", "bottles", "fragrances", "pulp"),
    ),
    "Specialty Chemicals": Industry(
        MATERIALS, 0.33, 0.03, 0.12, 0.05, 0.45, 0.70, 0.013, True, SUMMER, "material", "plant",
        ("industrial coating", "medical polymer", "electrolyte additive", "adhesive film", "resin"),
        ("solvents", "natural gas", "catalysts"),
    ),
    "Building Materials": Industry(
        MATERIALS, 0.31, 0.02, 0.11, 0.05, 0.50, 0.60, 0.013, True, SUMMER, "material", "furnace",
        ("laboratory glass", "insulating glass", "optical blank", "glass fibre"),
        ("soda ash", "silica sand", "natural gas"),
    ),
    "Auto Manufacturers": Industry(
        CYCLICAL, 0.19, 0.05, 0.06, 0.10, 0.35, 0.45, 0.021, False, SPRING, "vehicle", "assembly plant",
        ("electric saloon", "delivery van", "compact crossover", "electric pickup", "city scooter"),
        ("battery packs", "drive units", "seat frames", "wiring looms"),
    ),
    "Auto Parts": Industry(
        CYCLICAL, 0.22, 0.04, 0.08, 0.06, 0.30, 0.50, 0.015, True, (1.0, 1.02, 0.96, 1.02), "machine", "works",
        ("brake module", "seat frame", "wiring loom", "steering rack"),
        ("steel strip", "aluminium castings", "sensors"),
    ),
    "Solar": Industry(
        ENERGY, 0.26, 0.03, 0.09, 0.12, 0.45, 0.60, 0.023, False, (0.88, 1.02, 1.08, 1.02), "device", "factory",
        ("rooftop panel", "string inverter", "tracker frame", "solar carport"),
        ("solar cells", "aluminium frames", "tempered glass"),
    ),
    "Energy Storage": Industry(
        ENERGY, 0.24, 0.07, 0.08, 0.18, 0.50, 0.60, 0.024, False, (0.90, 0.98, 1.04, 1.08), "device", "cell plant",
        ("grid battery", "home battery", "vehicle battery pack", "power converter"),
        ("lithium cells", "electrolyte", "steel enclosures"),
    ),
    "Oil & Gas Refining": Industry(
        ENERGY, 0.14, 0.01, 0.04, 0.02, 0.40, 0.35, 0.017, True, SUMMER, "material", "refinery",
        ("renewable diesel", "aviation fuel", "hydrogen supply", "marine fuel"),
        ("crude oil", "used cooking oil", "catalysts"),
    ),
    "Specialty Retail": Industry(
        CYCLICAL, 0.37, 0.0, 0.27, 0.05, 0.28, 1.00, 0.017, True, HOLIDAYS, "goods", "distribution centre",
        ("garden chair", "bookcase", "quilt", "reading lamp", "kettle"),
        ("textiles", "payment services", "shelving"),
    ),
    "Apparel": Industry(
        CYCLICAL, 0.52, 0.01, 0.36, 0.06, 0.18, 0.95, 0.019, True, (0.90, 0.92, 1.02, 1.16), "goods", "mill",
        ("rain jacket", "trail shoe", "school uniform", "wool coat", "running shirt"),
        ("cotton yarn", "zips", "dyes"),
    ),
    "Payments": Industry(
        FINANCE, 0.60, 0.12, 0.22, 0.14, 0.10, 0.0, 0.018, False, YEAR_END, "service", "operations centre",
        ("card terminal", "instalment plan", "payout service", "fraud score"),
        ("card issuing", "chip cards", "settlement services"),
    ),
    "Banks": Industry(
        FINANCE, 0.62, 0.0, 0.36, 0.04, 0.14, 0.0, 0.012, True, FLAT, "policy", "branch",
        ("savings account", "small business loan", "mortgage", "student card"),
        ("core banking software", "cash handling", "card issuing"),
    ),
    "Insurance": Industry(
        FINANCE, 0.30, 0.0, 0.16, 0.05, 0.06, 0.0, 0.011, True, FLAT, "policy", "claims centre",
        ("home policy", "crop policy", "cyber policy", "travel policy"),
        ("reinsurance", "weather data", "claims software"),
    ),
    "Asset Management": Industry(
        FINANCE, 0.68, 0.0, 0.34, 0.07, 0.06, 0.0, 0.015, True, (0.97, 0.99, 1.0, 1.04), "policy", "office",
        ("bond fund", "property fund", "pension plan", "index fund"),
        ("market data", "custody services", "office space"),
    ),
    "Financial Exchanges": Industry(
        FINANCE, 0.74, 0.07, 0.18, 0.07, 0.16, 0.0, 0.012, True, FLAT, "service", "data centre",
        ("power futures", "listing service", "clearing service", "carbon auction"),
        ("network transit", "matching software", "colocation space"),
    ),
    "REIT - Office": Industry(
        ESTATE, 0.56, 0.0, 0.14, 0.02, 3.20, 0.0, 0.013, True, FLAT, "lease", "tower",
        ("serviced office", "laboratory floor", "co-working hall", "courtyard block"),
        ("facility services", "lifts", "property insurance"),
    ),
    "REIT - Residential": Industry(
        ESTATE, 0.58, 0.0, 0.12, 0.05, 3.40, 0.0, 0.011, True, FLAT, "lease", "estate",
        ("student residence", "garden block", "senior village", "family terrace"),
        ("construction services", "property insurance", "smart meters"),
    ),
    "REIT - Industrial": Industry(
        ESTATE, 0.62, 0.0, 0.11, 0.08, 3.30, 0.0, 0.012, True, FLAT, "lease", "logistics park",
        ("cold store", "cross-dock hall", "truck court", "parcel depot"),
        ("construction services", "roof solar", "property insurance"),
    ),
    "Marine Shipping": Industry(
        INDUSTRY, 0.28, 0.0, 0.08, 0.04, 1.30, 0.10, 0.018, True, SUMMER, "route", "terminal",
        ("container loop", "car carrier line", "reefer loop", "coastal feeder"),
        ("marine fuel", "port services", "container leasing"),
    ),
    "Railroads": Industry(
        INDUSTRY, 0.44, 0.0, 0.12, 0.03, 1.70, 0.12, 0.010, True, FLAT, "route", "yard",
        ("grain corridor", "intermodal corridor", "tank car service", "timber line"),
        ("diesel fuel", "rail steel", "signalling"),
    ),
    "Aerospace": Industry(
        INDUSTRY, 0.24, 0.05, 0.08, 0.08, 0.40, 0.95, 0.017, False, FLAT, "machine", "assembly hall",
        ("wing box", "fuselage section", "drone airframe", "engine nacelle"),
        ("titanium forgings", "carbon fibre", "fasteners"),
    ),
    "Oil & Gas Production": Industry(
        ENERGY, 0.44, 0.0, 0.08, 0.03, 1.40, 0.15, 0.019, True, WINTER, "works", "field",
        ("offshore block", "gas pipeline", "export terminal", "carbon storage site"),
        ("drilling services", "steel pipe", "seismic surveys"),
    ),
    "Oil & Gas Services": Industry(
        ENERGY, 0.27, 0.02, 0.09, 0.05, 0.70, 0.40, 0.021, False, FLAT, "works", "yard",
        ("jack-up rig", "subsea robot", "intervention vessel", "drill ship"),
        ("drill pipe", "marine crew", "cement"),
    ),
    "Utilities - Electric": Industry(
        UTILITIES, 0.42, 0.0, 0.13, 0.03, 2.60, 0.12, 0.009, True, WINTER, "works", "substation",
        ("wind farm", "hydro station", "gas peaker", "battery yard"),
        ("copper conductor", "transformers", "steel towers"),
    ),
    "Utilities - Water": Industry(
        UTILITIES, 0.46, 0.0, 0.14, 0.03, 2.80, 0.08, 0.009, True, SUMMER, "works", "treatment works",
        ("desalination plant", "reservoir scheme", "treatment unit", "pumping station"),
        ("pumps", "ductile pipe", "chlorine"),
    ),
    "Copper": Industry(
        MATERIALS, 0.36, 0.0, 0.06, 0.05, 1.10, 0.60, 0.021, True, FLAT, "material", "mine",
        ("copper cathode", "copper rod", "molybdenum concentrate", "copper foil"),
        ("explosives", "grinding balls", "electric power"),
    ),
    "Steel": Industry(
        MATERIALS, 0.21, 0.01, 0.06, 0.03, 0.60, 0.70, 0.018, True, SUMMER, "material", "mill",
        ("steel plate", "rail steel", "tower section", "rebar"),
        ("iron ore", "scrap", "electric power"),
    ),
    "Lithium": Industry(
        MATERIALS, 0.34, 0.02, 0.07, 0.12, 1.00, 0.55, 0.026, False, FLAT, "material", "brine works",
        ("battery carbonate", "lithium hydroxide", "spodumene concentrate", "lithium foil"),
        ("soda ash", "water rights", "electric power"),
    ),
    "Packaged Foods": Industry(
        STAPLES, 0.33, 0.01, 0.17, 0.03, 0.30, 0.60, 0.010, True, (0.98, 0.98, 1.0, 1.04), "goods", "bakery",
        ("oat bar", "frozen pizza", "breakfast cereal", "plant-based mince"),
        ("oats", "cocoa", "cartons"),
    ),
    "Beverages": Industry(
        STAPLES, 0.50, 0.01, 0.28, 0.04, 0.32, 0.50, 0.011, True, (0.90, 1.05, 1.10, 0.95), "goods", "brewery",
        ("ginger beer", "cold brew", "alcohol-free lager", "sparkling water"),
        ("hops", "aluminium cans", "sugar"),
    ),
    "Grocery Stores": Industry(
        STAPLES, 0.27, 0.0, 0.20, 0.04, 0.30, 0.45, 0.011, True, SPRING, "goods", "distribution centre",
        ("meal kit", "own-label coffee", "ready salad", "soup range"),
        ("packaged foods", "beverages", "refrigeration"),
    ),
    "Broadcasting": Industry(
        MEDIA, 0.45, 0.0, 0.26, 0.01, 0.25, 0.04, 0.017, True, (0.93, 1.0, 0.98, 1.09), "show", "studio",
        ("morning show", "crime podcast", "quiz show", "sports programme"),
        ("programme rights", "transmission", "advertising software"),
    ),
    "Electronic Gaming": Industry(
        MEDIA, 0.67, 0.23, 0.19, 0.09, 0.12, 0.10, 0.020, False, (0.90, 0.93, 0.97, 1.20), "show", "studio",
        ("strategy game", "racing game", "puzzle game", "role-playing game"),
        ("game engine licences", "mobile billing", "voice acting"),
    ),
}  # fmt: skip
