"""What an agent earns that does nothing: the rule by which audits judge tasks, and resets those that come with them."""

from env_server.domains.kit import Component, Task
from env_server.domains.pack import Pack
from env_server.episodes.ending import holds
from env_server.rewards import GoldOutcome
from env_server.state import State


def nothing_solves(pack: Pack, task: Task, beginning: State, gold: GoldOutcome) -> bool:
    """Whether each component of the basis of `task` has its full value in its `beginning`, before anybody acts."""
    return all(_earned_by_nothing(component, pack, task, beginning, gold) for component in task.basis)


def _earned_by_nothing(component: Component, pack: Pack, task: Task, beginning: State, gold: GoldOutcome) -> bool:
    match component:
        case Component.STATE:
            return gold.hash == beginning.hash
        case Component.COMMUNICATE:
            return not task.gold.outputs
        case Component.ACTIONS:
            return not task.gold.actions
        case Component.ENV_ASSERTIONS:
            return all(holds(pack, assertion, beginning) for assertion in task.env_assertions)
        case Component.NL_ASSERTIONS:
            return not task.assertions
        case Component.RUBRIC:
            return False
