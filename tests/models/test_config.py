"""The operator's settings, as the code that calls endpoints gets them."""

import pytest

from agent_env_schemas import UserSpec, UserStrategy
from env_server.domains.kit import Task
from env_server.settings import Settings
from env_server.users import UserRefused, Users

TASK = Task(task_id="t", domain="retail", instruction="Do it.")


def test_the_key_has_the_vendors_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """`OPENAI_API_KEY` has no prefix, and is hidden where settings are shown."""
    monkeypatch.setenv("OPENAI_API_KEY", " sk-mine ")
    settings = Settings(_env_file=None)
    assert settings.user_models().api_key == "sk-mine"
    assert "sk-mine" not in repr(settings)
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert Settings(_env_file=None).user_models().api_key is None


def test_the_list_of_endpoints() -> None:
    """The list is separated by commas; each address is normalised."""
    settings = Settings(_env_file=None, user_allowed_urls=" http://A:80/v1/ ,https://b/v1,")
    assert settings.user_models().allowed == {"http://a:80/v1", "https://b:443/v1"}


@pytest.mark.parametrize("wrong", [{"user_base_url": "models"}, {"user_allowed_urls": "http://h/v1,nonsense"}])
def test_an_address_that_is_none_is_refused(wrong: dict[str, str]) -> None:
    """A malformed address is refused at the start, not at the first call."""
    with pytest.raises(ValueError, match="http address"):
        Settings.model_validate(wrong).user_models()


def test_which_user_is_meant() -> None:
    """There are seven strategies; those played by a model need an endpoint and a name, and the others take none."""
    users = Users()
    assert set(users.names) == set(UserStrategy)
    assert users.of(TASK, UserSpec()).name == "external"
    assert users.of(TASK, UserSpec(strategy="llm")).remote
    for spec in (UserSpec(strategy="llm", model="m"), UserSpec(strategy="none", model="m")):
        with pytest.raises(UserRefused):
            users.check(users.of(TASK, spec), TASK, spec)
    with pytest.raises(UserRefused, match="scripted"):
        users.of(TASK, UserSpec(strategy="gpt"))
