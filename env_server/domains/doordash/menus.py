"""The restaurants' menus: dishes by cuisine, the drinks and sweets that all share, and the options of each kind."""

from typing import NamedTuple

from env_server.domains.doordash.tables import Category, Cuisine, Diet


class Dish(NamedTuple):
    """A dish template: its typical price in dollars and its dietary tags."""

    name: str
    category: Category
    price: int
    dietary: tuple[Diet, ...]


_TAGS: dict[str, tuple[Diet, ...]] = {
    "v": ("vegetarian",),
    "vv": ("vegetarian", "vegan"),
    "g": ("gluten-free",),
    "h": ("halal",),
}
_CATEGORIES: dict[str, Category] = {
    "s": "starter",
    "m": "main",
    "b": "bowl",
    "d": "side",
    "k": "drink",
    "w": "dessert",
    "a": "alcohol",
}

_CUISINES: dict[Cuisine, str] = {
    "italian": "Lentil Minestrone s 8 vv, Arancini s 9 v, Burrata Plate s 12 v+g, Margherita Pizza m 14 v,"
    " Salami Pizza m 16, Garden Pizza m 15 vv, Lasagne m 17, Pesto Trofie m 15 v, Truffle Ravioli m 19 v,"
    " Chicken Piccata m 18, Saffron Risotto b 16 v+g, Antipasto Bowl b 14 g, Rosemary Potatoes d 6 vv+g,"
    " Garlic Focaccia d 5 vv",
    "japanese": "Miso Soup s 5 v+g, Pork Gyoza s 8, Edamame s 6 vv+g, Tonkotsu Ramen m 16, Shoyu Ramen m 15,"
    " Mushroom Udon m 14 vv, Chicken Katsu m 16, Salmon Nigiri m 18 g, Avocado Maki m 11 vv+g, Tuna Maki m 13 g,"
    " Teriyaki Bowl b 15, Tofu Poke b 14 vv, Pickled Radish d 4 vv+g, Seaweed Salad d 6 vv",
    "mexican": "Tortilla Soup s 7 g, Corn Esquites s 6 v+g, Guacamole s 9 vv+g, Carnitas Tacos m 13 g,"
    " Fish Tacos m 14, Mushroom Tacos m 12 vv+g, Chicken Enchiladas m 15, Bean Burrito m 12 vv, Steak Burrito m 15,"
    " Mole Poblano m 17, Barbacoa Bowl b 14 g, Black Bean Bowl b 13 vv+g, Cilantro Rice d 4 vv+g, Fried Beans d 5 v+g",
    "indian": "Onion Bhaji s 7 vv+g, Samosa Pair s 6 vv, Paneer Tikka s 10 v+g, Butter Chicken m 16 g+h,"
    " Lamb Rogan Josh m 18 g+h, Chana Masala m 13 vv+g, Palak Paneer m 14 v+g, Chicken Vindaloo m 16 g+h,"
    " Aloo Gobi m 13 vv+g, Prawn Malabar m 19 g, Biryani Bowl b 15 h, Dal Bowl b 12 vv+g, Garlic Naan d 4 v,"
    " Basmati Rice d 3 vv+g",
    "thai": "Papaya Salad s 8 vv+g, Chicken Satay s 9 g, Spring Rolls s 7 vv, Pad Thai m 15 g, Green Curry m 16 g,"
    " Red Curry m 16 g, Massaman Beef m 18 g, Basil Chicken m 15, Drunken Noodles m 15, Ginger Tofu m 13 vv,"
    " Larb Bowl b 14 g, Coconut Tofu Bowl b 13 vv+g, Jasmine Rice d 3 vv+g, Roti d 4 v",
    "levantine": "Red Lentil Soup s 7 vv+g, Falafel Plate s 9 vv, Hummus s 7 vv+g, Chicken Shawarma m 14 h,"
    " Lamb Kofta m 16 h, Mixed Grill m 21 g+h, Halloumi Wrap m 13 v, Stuffed Peppers m 14 vv+g, Beef Arayes m 15 h,"
    " Freekeh Chicken m 16 h, Fattoush Bowl b 12 vv, Shawarma Bowl b 15 g+h, Pita d 3 vv, Tabbouleh d 6 vv",
    "american": "Clam Chowder s 8, Buffalo Wings s 11 g, Pickle Chips s 7 v, Smash Burger m 13, Bacon Burger m 15,"
    " Bean Burger m 13 vv, Pulled Pork Roll m 14, Fried Chicken m 16, Brisket Plate m 20 g, Turkey Club m 13,"
    " Cobb Bowl b 14 g, Harvest Bowl b 13 vv+g, Coleslaw d 4 v+g, Sweet Potato Fries d 6 vv",
    "korean": "Kimchi Pancake s 9 vv, Mandu s 8, Seaweed Rolls s 8 vv, Bulgogi m 18, Spicy Pork m 16,"
    " Japchae m 14 vv, Kimchi Stew m 15, Soft Tofu Stew m 14 v, Soy Chicken m 16, Tteokbokki m 13 v, Bibimbap b 15 v,"
    " Salmon Bibimbap b 17 g, Kimchi d 4 vv+g, Steamed Egg d 5 v+g",
    "greek": "Avgolemono s 7 g, Dolmades s 8 vv+g, Saganaki s 9 v, Chicken Gyros m 13, Pork Souvlaki m 14 g,"
    " Moussaka m 16, Giant Beans m 12 vv+g, Spinach Pie m 12 v, Lamb Kleftiko m 20 g, Grilled Octopus m 21 g,"
    " Village Salad Bowl b 12 v+g, Orzo Bowl b 13 v, Lemon Potatoes d 6 vv+g, Tzatziki d 4 v+g",
    "ethiopian": "Sambusa s 6 vv, Azifa s 7 vv+g, Kategna s 7 v, Doro Wat m 17 g, Key Wat m 17 g, Tibs m 18 g,"
    " Misir Wat m 13 vv+g, Shiro m 12 vv+g, Kitfo m 18 g, Fish Goulash m 17 g, Beyaynet Bowl b 15 vv, Firfir Bowl b 13,"
    " Gomen d 6 vv+g, Injera d 3 vv",
}  # fmt: skip

_EVERYWHERE = (
    "Still Water k 2 vv+g, Lemonade k 4 vv+g, Iced Tea k 4 vv+g, Mango Juice k 5 vv+g, Ginger Soda k 4 vv+g,"
    " Almond Cake w 7 v, Chocolate Tart w 8 v, Coconut Sorbet w 6 vv+g, Baked Apple w 7 vv+g,"
    " House Lager a 6 vv, Dry Cider a 7 vv+g, Red Wine a 9 vv+g"
)


def _parsed(text: str) -> tuple[Dish, ...]:
    """Return the dishes of the text `Name With Spaces c 12 tag+tag, ...`. The last word is absent
    if there are no tags.
    """
    dishes = []
    for entry in text.split(","):
        words = entry.split()
        marks = [] if words[-1].isdigit() else words.pop().split("+")
        tags = tuple(tag for mark in marks for tag in _TAGS[mark])
        *name, category, price = words
        dishes.append(Dish(" ".join(name), _CATEGORIES[category], int(price), tags))
    return tuple(dishes)


CUISINES: dict[Cuisine, tuple[Dish, ...]] = {cuisine: _parsed(text) for cuisine, text in _CUISINES.items()}
"""Cuisine -> its dishes."""

EVERYWHERE: tuple[Dish, ...] = _parsed(_EVERYWHERE)
"""Drinks, desserts and alcohol. Every restaurant has some of them."""

OPTIONS: dict[Category, dict[str, dict[str, float]]] = {
    "starter": {"portion": {"single": 0.0, "to share": 4.5}},
    "main": {
        "size": {"regular": 0.0, "large": 3.75},
        "heat": {"mild": 0.0, "medium": 0.0, "hot": 0.0},
        "extra": {"none": 0.0, "avocado": 2.25, "fried egg": 1.5, "grilled cheese": 1.95},
    },
    "bowl": {
        "size": {"regular": 0.0, "large": 3.25},
        "base": {"rice": 0.0, "greens": 0.0, "quinoa": 1.25},
        "topping": {"none": 0.0, "seeds": 0.75, "pickles": 0.95},
    },
    "side": {"size": {"small": 0.0, "large": 2.25}},
    "drink": {"ice": {"with ice": 0.0, "no ice": 0.0}, "size": {"small": 0.0, "large": 1.25}},
    "dessert": {"topping": {"none": 0.0, "cream": 0.85, "berries": 1.65}},
    "alcohol": {"size": {"glass": 0.0, "bottle": 11.5}},
}
"""Category -> option -> choice -> what it adds to the price, in dollars."""
