"""Tasks: a wish that the rows refuse, and its twin, in which the same words are granted."""

from collections.abc import Iterable, Mapping

from env_server.domains import kit


class Club:
    """The base as tasks look things up in it."""

    def __init__(self, base: kit.Snapshot) -> None:
        """Read `base`."""
        self.customers: Mapping[str, kit.Row] = base.tables["members"].rows
        self.boats: Mapping[str, kit.Row] = base.tables["boats"].rows
        self.by_name = {boat["boat_name"]: boat_id for boat_id, boat in self.boats.items()}

    def owned(self, customer: kit.Row) -> list[str]:
        """Return the values that only this member has."""
        return [customer["member_id"], customer["name"]]


def reserve(case: kit.Case[Club]) -> kit.Wish:
    """Reserve a boat, which is refused while it is in repair."""
    boat, member_id = case.world.boats[case.subject], case.customer["member_id"]
    name, damage = boat["boat_name"], boat["in_repair"]
    plan, done = f"reserve the {name} for you on Saturday", f"the {name} has been reserved for you"
    calls = [kit.shape("reserve_boat", boat_id=case.subject)]
    wanted = kit.change(plan, done, verbs=("reserve", "book"), names=("boat",), calls=calls)
    details = {"boat": kit.Known(f"I mean the {name}.", says=(name,))}
    request = kit.wish(
        case, "reserve a boat", "book a boat", "have a boat for Saturday", details=details, changes=[wanted]
    )
    goal, look = f"You want to {plan.replace('for you ', '')}.", (kit.read("find_boat", boat_name=name),)
    if case.due:
        rows = {"boats": {case.subject: {"in_repair": None}}}
        made = (kit.write("reserve_boat", boat_id=case.subject, member_id=member_id),)
        return kit.Wish((request,), goal, writes=made, reads=look, initial=rows, slots={"boat": case.subject})
    fact = kit.Refusal(f"its {damage} is being repaired", because=((damage, "repair"),))
    return kit.Wish((request,), goal, proof=look, refusals=(fact,), slots={"boat": case.subject})


def caller(case: kit.Case[Club], strict: bool) -> kit.Caller:
    """Return the member, known by name."""
    name = case.customer["name"]
    return kit.Caller(f"You are {name}.", {"name": name}, (), (kit.read("find_member", full_name=name),))


def boats(club: Club, member: kit.Row) -> Iterable[str]:
    """Return the boats that a member may ask for: those of their licences."""
    return [club.by_name[name] for name in member["boat_names"]]


TEMPLATES = kit.twins("reserve", kit.WishKind(reserve, boats))
RULES = {1: "*", 2: "reserve-due", 3: "reserve"}
SPLITS = {"train": 40, "val": 8, "test": 20}
TASKS = kit.GeneratedTasks("boat_club", TEMPLATES, Club, kit.Case, caller, RULES, __name__, SPLITS)
