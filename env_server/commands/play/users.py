"""Checks the model that plays the user, for episodes in this process."""

from env_server.commands.play.options import PlayOptions
from env_server.models.config import OPENAI, normal_url
from env_server.settings import Settings
from env_server.users.strategies import strategies


def check_user(chosen: PlayOptions, settings: Settings) -> None:
    """Check that the settings name a usable model for the user. A server checks its own.

    Raises:
        ValueError: if they do not; the message names the missing settings.
    """
    strategy = strategies().get(chosen.user or "")
    if chosen.url is not None or strategy is None or not strategy.asks_model:
        return
    config = settings.user_models()
    lacking = [] if config.model else ["ENV_SERVER_USER_MODEL"]
    if config.api_key is None and normal_url(config.base_url) == normal_url(OPENAI):
        lacking.append("OPENAI_API_KEY or ENV_SERVER_USER_BASE_URL")
    if lacking:
        raise ValueError(f"--user {chosen.user}: a model plays the user; set {', and '.join(lacking)}")
