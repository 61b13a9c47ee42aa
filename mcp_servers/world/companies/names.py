"""Names of people and places. Each name of a person occurs only once."""

import re

from mcp_servers.world.chance import Stream

FIRST = (
    "Adaeze", "Aldo", "Amara", "Anneke", "Anselm", "Arjun", "Astrid", "Bartek", "Beatrix", "Bettina", "Bogdan",
    "Bronwyn", "Caleb", "Carys", "Casimir", "Celeste", "Cosmo", "Dagny", "Damaris", "Dario", "Delphine", "Dilip",
    "Dorian", "Edith", "Eamon", "Elif", "Elspeth", "Emeka", "Enzo", "Esme", "Fabio", "Farah", "Fergus", "Fiona",
    "Florian", "Freya", "Galina", "Gareth", "Giulia", "Gregor", "Gwen", "Hadley", "Hanna", "Harriet", "Hiro", "Hugo",
    "Ibrahim", "Imogen", "Ines", "Ingrid", "Iris", "Jarek", "Jemima", "Jonas", "Josefa", "Judith", "Kaito", "Kamala",
    "Kasper", "Katya", "Keir", "Kerstin", "Lars", "Leila", "Lennart", "Linnea", "Lionel", "Lorna", "Lucian", "Magda",
    "Malik", "Marcel", "Marguerite", "Marisol", "Matilda", "Mei", "Milos", "Mirabel", "Nadia", "Naveen", "Nerys",
    "Nikolai", "Nora", "Octavia", "Olaf", "Olga", "Oluchi", "Oscar", "Paloma", "Parveen", "Pavel", "Petra", "Phoebe",
    "Piers", "Priya", "Quincy", "Rafael", "Ragna", "Rajiv", "Ramona", "Renata", "Rosalind", "Rufus", "Sabine", "Sanjay",
    "Saskia", "Selim", "Sigrid", "Simone", "Soren", "Stellan", "Sunita", "Tamsin", "Tariq", "Tess", "Theodora",
    "Thijs", "Tomas", "Ursula", "Uwe", "Valentin", "Verity", "Viktor", "Wanda", "Wendell", "Winifred", "Yasmin",
    "Yuki", "Yvonne", "Zahra", "Zoltan", "Zora",
)  # fmt: skip
LAST = (
    "Abernathy", "Adeyemi", "Albrecht", "Amundsen", "Arkwright", "Asante", "Aylward", "Baranov", "Barros", "Beaumont",
    "Bergstrom", "Bhandari", "Blackwood", "Boateng", "Brandvold", "Brightwell", "Calder", "Caruso", "Castellan",
    "Chaudhry", "Corwin", "Crossley", "Dalgaard", "Demir", "Desrosiers", "Dinwiddie", "Drozdov", "Duarte", "Eastgate",
    "Eklund", "Ellsworth", "Espinosa", "Fairweather", "Farrokh", "Fenwick", "Ferreira", "Fitzgibbon", "Fontaine",
    "Galloway", "Gautier", "Ghosh", "Goncalves", "Grantham", "Grieve", "Gustafson", "Haddad", "Halloran", "Hargreaves",
    "Hartmann", "Hathaway", "Hideyoshi", "Holloway", "Ibarra", "Ilves", "Imai", "Ingersoll", "Isaksen", "Jankowski",
    "Jimenez", "Kallio", "Kapoor", "Katz", "Kessler", "Kirchner", "Kovacs", "Krishnan", "Laframboise", "Langley",
    "Larkin", "Leclerc", "Lindqvist", "Lockhart", "Lombardi", "Macready", "Madsen", "Maheshwari", "Marchetti",
    "Mbanefo", "Mercado", "Moravec", "Nakagawa", "Nasser", "Nettleton", "Novak", "Nwosu", "Oakeshott", "Odegaard",
    "Okafor", "Olander", "Orlov", "Osterberg", "Paget", "Papadakis", "Pemberton", "Petrov", "Pinto", "Prendergast",
    "Quarshie", "Quintero", "Radcliffe", "Ramaswamy", "Redfern", "Reinholt", "Ricci", "Rosenthal", "Rutherford",
    "Sadowski", "Salcedo", "Sandberg", "Schreiber", "Sefton", "Shirazi", "Silveira", "Soares", "Stavros", "Strand",
    "Sundaram", "Szabo", "Takeda", "Tennant", "Thackeray", "Tolliver", "Trevanion", "Underhill", "Urquhart",
    "Valdez", "Vandermeer", "Varga", "Voss", "Wadsworth", "Wainwright", "Weatherby", "Westergaard", "Whitcombe",
    "Winterbourne", "Yamashita", "Yilmaz", "Zamora", "Zielinski",
)  # fmt: skip
CITIES = (
    ("Aldercombe", "OR", "541"), ("Ashby Falls", "NY", "315"), ("Barrowmere", "OH", "216"),
    ("Birchgate", "MN", "218"), ("Brannock", "TX", "361"), ("Calder Point", "WA", "360"),
    ("Cinder Ridge", "AZ", "928"), ("Coldwell", "ME", "207"), ("Copper Landing", "UT", "435"),
    ("Cranmere", "MI", "231"), ("Dunmarrow", "PA", "570"), ("Eastwick Bay", "MA", "508"),
    ("Elmsworth", "VA", "540"), ("Fallowfield", "IN", "765"), ("Fort Merrin", "TX", "806"),
    ("Foxhollow", "NC", "828"), ("Gannet Harbor", "MA", "978"), ("Glenhaven", "CO", "970"),
    ("Greywater", "LA", "337"), ("Harlan Springs", "GA", "706"), ("Hawkesbury", "CT", "860"),
    ("Hollin Creek", "TN", "931"), ("Ironbridge", "PA", "814"), ("Juniper Mesa", "NM", "575"),
    ("Kestrel Park", "CA", "707"), ("Kingsferry", "NJ", "908"), ("Lakeminster", "WI", "920"),
    ("Larkfield", "KS", "620"), ("Lower Tamsen", "ID", "208"), ("Maple Reach", "VT", "802"),
    ("Marrowstone", "WA", "509"), ("Millbrae Cross", "IL", "815"), ("Netherby", "SC", "864"),
    ("New Averill", "CA", "530"), ("Northolt", "ND", "701"), ("Oakhurst Mills", "MS", "662"),
    ("Orchard Bluff", "MO", "573"), ("Pellworth", "AL", "256"), ("Port Lannick", "FL", "850"),
    ("Quarry Hill", "KY", "606"), ("Ravensburgh", "NY", "518"), ("Redmarsh", "DE", "302"),
    ("Rockhaven", "NH", "603"), ("Saltmarsh", "MD", "410"), ("Sandrock", "NV", "775"),
    ("Shelbourne", "IA", "563"), ("Silver Inlet", "AK", "907"), ("Stonequay", "RI", "401"),
    ("Sumner Vale", "NE", "308"), ("Tarrant Wells", "OK", "580"), ("Thornbury", "AR", "870"),
    ("Upper Hale", "MT", "406"), ("Vantage Pass", "WY", "307"), ("Westermere", "OH", "419"),
    ("Whitlow", "SD", "605"), ("Wrenfield", "WV", "304"),
)  # fmt: skip
"""City, state and area code."""

STREETS = (
    "Anchor", "Beacon", "Bellmaker", "Canal", "Chandler", "Cooper", "Courtland", "Dockside", "Falcon", "Foundry",
    "Granary", "Harvest", "Hillcrest", "Ironmonger", "Junction", "Lantern", "Linden", "Mariner", "Millrace", "Orchard",
    "Packhorse", "Parade", "Quarry", "Ropewalk", "Signal", "Station", "Tannery", "Terrace", "Union", "Weaver",
)  # fmt: skip
ENDINGS = ("Street", "Avenue", "Road", "Way", "Boulevard", "Drive", "Square")
WORD = re.compile("[a-z0-9]+")
SCHOOLS = (
    "Aldercombe Polytechnic", "Barrowmere State University", "Calder Point College", "Eastwick Institute of Technology",
    "Glenhaven University", "Hawkesbury College", "Kestrel Park Academy of Design", "Lakeminster University",
    "Ravensburgh School of Mines", "Stonequay Maritime College", "the University of Elmsworth", "Thornbury College",
)  # fmt: skip


class Names:
    """A source of names of people, without repeats in a world."""

    def __init__(self, seed: int) -> None:
        """Prepare the names of the world of `seed`."""
        self._stream = Stream(seed, "names")
        self._taken: set[str] = set()

    def deal(self) -> str:
        """Return a first and a last name."""
        while True:
            name = f"{self._stream.pick(FIRST)} {self._stream.pick(LAST)}"
            if name not in self._taken:
                self._taken.add(name)
                return name


def slug(text: str) -> str:
    """Return `text` as a part of an address: lower-case letters, digits and hyphens."""
    return "-".join(WORD.findall(text.lower().replace("'", "").replace("&", "and")))
