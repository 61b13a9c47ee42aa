"""Word lists of the builtin world, all our own: people, streets, cities and restaurant names."""

FIRST = (
    "Abel", "Anouk", "Basil", "Beatriz", "Cleo", "Conrad", "Dalia", "Desmond", "Edda", "Ezra", "Fenna", "Felix",
    "Gemma", "Gideon", "Hester", "Hamza", "Ivana", "Isak", "Joelle", "Jasper", "Keiko", "Karim", "Leonie", "Lorenzo",
    "Maeve", "Mateo", "Noor", "Nestor", "Odile", "Orson", "Pilar", "Quentin", "Rhea", "Ruben", "Selma", "Silas",
    "Thora", "Tobias", "Ulla", "Vikram", "Willa", "Xenia", "Yannick", "Zelda",
)  # fmt: skip
LAST = (
    "Abbott", "Bakshi", "Calloway", "Devlin", "Eriksen", "Falk", "Garnier", "Holm", "Iyer", "Jansen", "Keller",
    "Laurent", "Mbeki", "Noble", "Ortega", "Pryce", "Quill", "Ramos", "Sandoval", "Thorne", "Ueda", "Vance",
    "Whitlock", "Xu", "Yates", "Zeller",
)  # fmt: skip
STREETS = (
    "Acorn", "Bellows", "Cinder", "Dogwood", "Ember", "Fernhill", "Gable", "Heron", "Inkwell", "Jasmine", "Knoll",
    "Larch", "Meridian", "Nettle", "Osprey", "Pebble", "Quince", "Rowan", "Sorrel", "Thistle", "Upland", "Vesper",
    "Willow", "Yarrow",
)  # fmt: skip
ENDINGS = ("Street", "Lane", "Avenue", "Road", "Way")
CITIES = (
    ("Marlow Bay", "CA", 946),
    ("Fort Aldine", "TX", 773),
    ("Kestrel Falls", "OR", 973),
    ("Harrowgate", "OH", 441),
)
"""The cities: name, state, and the first three digits of the zip codes."""

LABELS = ("home", "work", "studio")
BRANDS = ("visa", "mastercard", "amex")

ADJECTIVES = (
    "Amber", "Blue", "Copper", "Drifting", "Early", "Gilded", "Humble", "Ivory", "Jolly", "Little", "Merry", "Northern",
    "Old", "Quiet", "Rustic", "Silver", "Twin", "Velvet", "Wandering", "Golden",
)  # fmt: skip
NOUNS = {
    "italian": ("Olive Press", "Trattoria", "Forno", "Vine", "Cantina"),
    "japanese": ("Crane", "Lantern", "Bamboo", "Izakaya", "Maple"),
    "mexican": ("Agave", "Comal", "Cactus", "Taqueria", "Pinata"),
    "indian": ("Tandoor", "Saffron", "Peacock", "Cardamom", "Banyan"),
    "thai": ("Orchid", "Lotus", "Tuk Tuk", "Basil Leaf", "Mango Tree"),
    "levantine": ("Cedar", "Sumac", "Fig Tree", "Mezze", "Souk"),
    "american": ("Skillet", "Diner", "Smokehouse", "Grill", "Porch"),
    "korean": ("Hanok", "Kimchi Pot", "Plum Blossom", "Magpie", "Stone Bowl"),
    "greek": ("Taverna", "Olive Grove", "Harbour", "Amphora", "Thyme"),
    "ethiopian": ("Injera House", "Acacia", "Highland", "Mesob", "Coffee Tree"),
}
