"""The sixty companies and six crypto pairs that every seed has in common.

A circle is a group of companies that deal with each other: peers, customers and suppliers, opponents in court. No row
of the world combines companies of different circles, so that tasks can separate the circles.
"""

from typing import NamedTuple


class Listed(NamedTuple):
    """A company with its seed-independent data."""

    ticker: str
    name: str
    industry: str
    circle: int


CIRCLES = (
    (
        ("ORCA", "Orcadia Semiconductor", "Semiconductors"),
        ("VLTM", "Veltra Microsystems", "Semiconductors"),
        ("QRZN", "Quorizon Devices", "Consumer Electronics"),
        ("HLVD", "Halvard Automation", "Industrial Machinery"),
        ("BREK", "Breckon Robotics", "Industrial Machinery"),
        ("TNDL", "Tindall Motion", "Electrical Equipment"),
    ),
    (
        ("LUMQ", "Lumaquay Software", "Software - Application"),
        ("NDCR", "Nodecraft Systems", "Software - Infrastructure"),
        ("SABX", "Sablex Security", "Software - Infrastructure"),
        ("KITW", "Kitewire Networks", "Telecommunications Services"),
        ("PLVN", "Pelavin Pictures", "Entertainment"),
        ("MRLB", "Marlby Interactive", "Internet Content"),
    ),
    (
        ("ASVM", "Astervale Medical", "Medical Devices"),
        ("CODN", "Cordane Diagnostics", "Diagnostics & Research"),
        ("PSMD", "Prosmeda Surgical", "Medical Devices"),
        ("KOLN", "Kolnar Chemicals", "Specialty Chemicals"),
        ("FERV", "Fervane Polymers", "Specialty Chemicals"),
        ("WYGL", "Wyndell Glassworks", "Building Materials"),
    ),
    (
        ("BLTN", "Belthane Therapeutics", "Biotechnology"),
        ("ONVY", "Onvaya Biologics", "Biotechnology"),
        ("TVXP", "Torvax Pharma", "Drug Manufacturers"),
        ("HSEL", "Hartsel Home", "Household Products"),
        ("MDLK", "Meadlock Consumer", "Household Products"),
        ("PYNW", "Pynewood Naturals", "Household Products"),
    ),
    (
        ("VYRR", "Vyrra Motors", "Auto Manufacturers"),
        ("CASQ", "Casque Mobility", "Auto Manufacturers"),
        ("DRML", "Drumlin Components", "Auto Parts"),
        ("SOLQ", "Solquist Energy", "Solar"),
        ("GALF", "Galefield Power Storage", "Energy Storage"),
        ("HYDN", "Hydrane Fuels", "Oil & Gas Refining"),
    ),
    (
        ("OAKM", "Oakmere Stores", "Specialty Retail"),
        ("TRLK", "Trellick Apparel", "Apparel"),
        ("VSPL", "Vesper & Lane", "Specialty Retail"),
        ("PVNE", "Payvane", "Payments"),
        ("LGWL", "Ledgerwell", "Payments"),
        ("MNTQ", "Mintaqua Bank", "Banks"),
    ),
    (
        ("AVDN", "Averdine Insurance", "Insurance"),
        ("BWKC", "Brightwake Capital", "Asset Management"),
        ("HVRW", "Havenrow Exchange", "Financial Exchanges"),
        ("SRIL", "Stonerill Properties", "REIT - Office"),
        ("LFMK", "Loftmark Residential", "REIT - Residential"),
        ("GVLP", "Granvale Logistics Parks", "REIT - Industrial"),
    ),
    (
        ("NGAN", "Northgannet Shipping", "Marine Shipping"),
        ("RLBN", "Railbourne", "Railroads"),
        ("SKLA", "Skylark Aerostructures", "Aerospace"),
        ("CDRL", "Cindral Petroleum", "Oil & Gas Production"),
        ("BRHD", "Borehill Drilling", "Oil & Gas Services"),
        ("TDWG", "Tidewell Gas", "Oil & Gas Production"),
    ),
    (
        ("EVLU", "Evenlight Utilities", "Utilities - Electric"),
        ("RVNH", "Rivenhall Water", "Utilities - Water"),
        ("GMOR", "Gridmoor Electric", "Utilities - Electric"),
        ("CPHY", "Copperhythe Mining", "Copper"),
        ("STLQ", "Stellane Steel", "Steel"),
        ("LTMR", "Lithmoor Minerals", "Lithium"),
    ),
    (
        ("GRLF", "Granolla Foods", "Packaged Foods"),
        ("BRWD", "Brewlands Beverage", "Beverages"),
        ("OPGR", "Orchard & Pike Grocers", "Grocery Stores"),
        ("WVMB", "Wavemoor Broadcasting", "Broadcasting"),
        ("PXNE", "Pixenne Games", "Electronic Gaming"),
        ("SGBY", "Signalby Mobile", "Telecommunications Services"),
    ),
)

ROSTER = tuple(
    Listed(ticker, name, industry, circle)
    for circle, members in enumerate(CIRCLES, 1)
    for ticker, name, industry in members
)


class Coin(NamedTuple):
    """A crypto pair with its seed-independent data."""

    base: str
    name: str
    price: float
    """The price in dollars on the day before the world begins."""
    deviation: float
    """Deviation of the daily return."""
    volume: float
    """Number of coins traded on a typical day."""


COINS = (
    Coin("BTC", "Bitcoin", 30_512.0, 0.023, 21_000),
    Coin("ETH", "Ethereum", 1_924.0, 0.028, 310_000),
    Coin("SOL", "Solana", 19.4, 0.041, 9_400_000),
    Coin("XRP", "XRP", 0.478, 0.034, 620_000_000),
    Coin("ADA", "Cardano", 0.291, 0.036, 540_000_000),
    Coin("LTC", "Litecoin", 104.0, 0.032, 1_300_000),
)
