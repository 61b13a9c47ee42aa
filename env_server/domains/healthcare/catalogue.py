"""The clinics' master data: plans, procedures, pharmacies, medicines and laboratory tests. All of it is invented."""

from random import Random
from typing import Any, NamedTuple

from env_server.domains.healthcare.people import STREETS, TOWNS
from env_server.domains.healthcare.tables import PRIMARY_CARE

Row = dict[str, Any]

SPECIALISTS = (
    "cardiology",
    "dermatology",
    "endocrinology",
    "gastroenterology",
    "neurology",
    "ophthalmology",
    "orthopedics",
    "psychiatry",
)
"""Specialties to which any patient may be referred. Gynecology is open to its patients without a referral."""

SPECIALTIES = (*SPECIALISTS, "gynecology", *PRIMARY_CARE)


class _Plan(NamedTuple):
    plan_id: str
    name: str
    kind: str
    copays: tuple[float, float, float, float]
    """The copays for primary care, specialist, video and out of network."""

    deductible: float
    needs_referral: tuple[str, ...]
    coinsurance: tuple[int, ...]
    """The patient's shares of procedure prices, in per cent."""


_PLANS = (
    _Plan("PLN-11", "Evergreen Basic", "HMO", (15.25, 42.5, 11.75, 180.0), 600.0, SPECIALISTS, (20, 30)),
    _Plan("PLN-12", "Evergreen Plus", "HMO", (10.5, 33.75, 8.25, 165.5), 250.0, SPECIALISTS, (10, 20)),
    _Plan(
        "PLN-21", "Cascade Select", "EPO", (22.75, 51.25, 14.5, 210.0), 450.0,
        ("cardiology", "neurology", "orthopedics"), (15, 25),
    ),
    _Plan("PLN-31", "Summit Open", "PPO", (28.5, 61.75, 19.25, 96.5), 900.0, (), (20, 35)),
    _Plan("PLN-32", "Summit Premier", "PPO", (18.25, 39.5, 12.25, 72.75), 300.0, (), (10, 15)),
    _Plan("PLN-90", "Self-pay", "self_pay", (118.0, 176.0, 84.0, 176.0), 0.0, (), (100,)),
)  # fmt: skip
PLAN_SHARES = (24, 18, 18, 18, 16, 6)
"""Per cent of the patients in each plan, in order."""

_PROCEDURES = {
    "cardiology": {"Resting electrocardiogram": 96.4, "Exercise stress test": 412.8, "Heart ultrasound": 638.2},
    "dermatology": {"Skin biopsy": 224.6, "Cryotherapy of a lesion": 143.3, "Patch testing": 187.9},
    "endocrinology": {"Thyroid ultrasound": 268.4, "Continuous glucose monitoring": 355.2},
    "gastroenterology": {"Upper endoscopy": 974.6, "Colonoscopy": 1386.4, "Breath test": 152.8},
    "gynecology": {"Pelvic ultrasound": 281.6, "Colposcopy": 334.2},
    "neurology": {"Electroencephalogram": 467.8, "Nerve conduction study": 523.4},
    "ophthalmology": {"Visual field test": 118.2, "Retinal imaging": 163.6},
    "orthopedics": {"Joint injection": 246.8, "Knee magnetic resonance scan": 1148.4, "Bone density scan": 214.2},
    "psychiatry": {"Cognitive assessment": 294.6},
    "family_medicine": {"Spirometry": 84.8, "Ear irrigation": 61.4},
    "internal_medicine": {"Ambulatory blood pressure monitoring": 137.6},
    "pediatrics": {"Hearing screening": 72.2, "Allergy skin test": 198.4},
}

_PHARMACIES = ("Market Square Pharmacy", "Old Mill Pharmacy", "Riverside Pharmacy")


class Medication(NamedTuple):
    """A medicine as it is prescribed."""

    name: str
    strengths: tuple[str, ...]
    specialty: str
    """The specialty of its prescribing doctors. `primary` stands for the patient's primary doctor."""

    controlled: bool = False
    youngest: int = 0


MEDICATIONS = (
    Medication("Lisinopril", ("5 mg", "10 mg", "20 mg"), "primary", youngest=18),
    Medication("Atorvastatin", ("10 mg", "20 mg", "40 mg"), "cardiology", youngest=18),
    Medication("Metformin", ("500 mg", "850 mg"), "primary", youngest=18),
    Medication("Levothyroxine", ("50 mcg", "75 mcg", "100 mcg"), "endocrinology", youngest=18),
    Medication("Amlodipine", ("5 mg", "10 mg"), "cardiology", youngest=18),
    Medication("Omeprazole", ("20 mg", "40 mg"), "gastroenterology", youngest=18),
    Medication("Sertraline", ("25 mg", "50 mg"), "psychiatry", youngest=18),
    Medication("Cetirizine", ("5 mg", "10 mg"), "primary"),
    Medication("Albuterol inhaler", ("90 mcg",), "primary"),
    Medication("Montelukast", ("5 mg", "10 mg"), "primary"),
    Medication("Fluticasone nasal spray", ("50 mcg",), "primary"),
    Medication("Tretinoin cream", ("0.025 %", "0.05 %"), "dermatology", youngest=12),
    Medication("Methylphenidate", ("10 mg", "18 mg"), "primary", controlled=True),
    Medication("Lorazepam", ("0.5 mg", "1 mg"), "psychiatry", controlled=True, youngest=18),
    Medication("Zolpidem", ("5 mg", "10 mg"), "primary", controlled=True, youngest=18),
    Medication("Tramadol", ("50 mg",), "orthopedics", controlled=True, youngest=18),
    Medication("Pregabalin", ("75 mg", "150 mg"), "neurology", controlled=True, youngest=18),
)


class Measure(NamedTuple):
    """One value of a laboratory test: its unit, the normal range, and the number of decimals."""

    name: str
    unit: str
    low: float
    high: float
    decimals: int = 1


TESTS = {
    "lipid panel": (
        Measure("LDL cholesterol", "mg/dL", 50, 130, 0),
        Measure("HDL cholesterol", "mg/dL", 40, 90, 0),
        Measure("triglycerides", "mg/dL", 50, 150, 0),
    ),
    "thyroid panel": (
        Measure("TSH", "mIU/L", 0.4, 4.2, 2),
        Measure("free T4", "ng/dL", 0.8, 1.8, 2),
    ),
    "long-term blood sugar": (Measure("HbA1c", "%", 4.1, 5.7),),
    "blood count": (
        Measure("hemoglobin", "g/dL", 11.8, 16.9),
        Measure("platelets", "thousand/uL", 150, 400, 0),
    ),
    "iron panel": (Measure("ferritin", "ng/mL", 24, 260), Measure("serum iron", "ug/dL", 55, 170, 0)),
    "vitamin D level": (Measure("25-hydroxyvitamin D", "ng/mL", 20, 60),),
    "kidney function": (
        Measure("creatinine", "mg/dL", 0.55, 1.25, 2),
        Measure("potassium", "mmol/L", 3.5, 5.1, 2),
    ),
}


def plans(rng: Random) -> list[Row]:
    """Return the plan rows. Each plan covers most procedures, some of them only with a prior authorization."""
    rows = []
    for plan in _PLANS:
        names = ("primary", "specialist", "video", "out_of_network")
        rows.append(
            {
                "plan_id": plan.plan_id,
                "name": plan.name,
                "kind": plan.kind,
                "copays": dict(zip(names, plan.copays, strict=True)),
                "deductible": plan.deductible,
                "referral_specialties": list(plan.needs_referral),
                "procedures": {row["code"]: _coverage(rng, plan) for row in procedures() if _covers(rng, plan)},
            }
        )
    return rows


def _covers(rng: Random, plan: _Plan) -> bool:
    return plan.kind != "self_pay" and rng.random() < 0.9


def _coverage(rng: Random, plan: _Plan) -> Row:
    return {
        "covered": rng.random() < 0.92,
        "coinsurance_percent": float(rng.choice(plan.coinsurance)),
        "prior_authorization": rng.random() < 0.25,
    }


def procedures() -> list[Row]:
    """Return the procedure rows."""
    listed = [(specialty, name, price) for specialty, found in _PROCEDURES.items() for name, price in found.items()]
    return [
        {"code": f"PX-{3100 + 17 * i}", "name": name, "specialty": specialty, "price": price}
        for i, (specialty, name, price) in enumerate(listed)
    ]


def pharmacies(rng: Random) -> list[Row]:
    """Return the pharmacy rows: three in each town, one of them open all night."""
    return [
        {
            "pharmacy_id": f"PH-{10 * (t + 1) + i}",
            "name": f"{town} {name}",
            "street": f"{rng.randint(11, 989)} {rng.choice(STREETS)} Street",
            "city": town,
            "zip": f"{prefix}{rng.randint(0, 99):02d}",
            "phone": f"541-555-{rng.randint(0, 9999):04d}",
            "open_all_night": i == t % len(_PHARMACIES),
        }
        for t, (town, prefix) in enumerate(TOWNS)
        for i, name in enumerate(_PHARMACIES)
    ]
