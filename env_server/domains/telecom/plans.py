"""The products of the builtin carrier: plans, and the devices of its lines."""

from random import Random
from typing import Any

Row = dict[str, Any]

PHONE_PLANS = ("P101", "P102", "P103", "P104", "P105")
OTHER_PLANS = {"tablet": "P106", "watch": "P107", "router": "P108"}
"""Kind of device that is no phone -> the plan its line is on."""

UNLIMITED = "P105"

_PLANS = (
    ("P101", "Pebble 4", 4.0, 27.90, 6.50),
    ("P102", "Brook 10", 10.0, 38.45, 4.25),
    ("P103", "River 20", 20.0, 49.75, 3.10),
    ("P104", "Lake 45", 45.0, 63.20, 2.35),
    ("P105", "Ocean Unlimited", 999.0, 84.60, 0.10),
    ("P106", "Slate Tablet 6", 6.0, 21.15, 5.40),
    ("P107", "Wrist 1", 1.0, 9.35, 8.80),
    ("P108", "Home Router 90", 90.0, 57.85, 1.60),
)

_MODELS = {
    "phone": ("Nimbus 4", "Nimbus 4 Max", "Corvid S", "Corvid S Lite", "Halyard One", "Halyard Two"),
    "tablet": ("Slate 11", "Slate Mini"),
    "watch": ("Wristling", "Wristling Sport"),
    "router": ("Hearth Router",),
}


def plans() -> list[Row]:
    """Return the plan rows."""
    keys = ("plan_id", "name", "data_limit_gb", "price_per_month", "data_refueling_price_per_gb")
    return [dict(zip(keys, plan, strict=True)) for plan in _PLANS]


def device(rng: Random, device_id: str, kind: str, imei: str, *, activated: bool) -> Row:
    """Return a device row. A device that was never activated has no activation date."""
    day = f"{rng.choice((2022, 2023, 2024))}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
    return {
        "device_id": device_id,
        "device_type": kind,
        "model": rng.choice(_MODELS[kind]),
        "imei": imei,
        "is_esim_capable": rng.random() < 0.6,
        "activated": activated,
        "activation_date": f"{day} {rng.randint(8, 19):02d}:{rng.randrange(60):02d}:00" if activated else None,
        "last_esim_transfer_date": None,
    }
