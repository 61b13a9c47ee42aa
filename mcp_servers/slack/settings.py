"""The settings of the server."""

from pydantic import AliasChoices, Field, SecretStr

from mcp_servers.kit.settings import ApiSettings

SLACK = "https://slack.com/api"


class SlackSettings(ApiSettings):
    """Where Slack is, and the tokens for it."""

    api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("SLACK_BOT_TOKEN"))
    """The bot's token; without one, the tools answer from the offline world."""
    user_token: SecretStr | None = Field(default=None, validation_alias=AliasChoices("SLACK_USER_TOKEN"))
    """A user's token, with which messages are searched: Slack does not let bots search."""
    base_url: str = Field(default=SLACK, validation_alias="SLACK_BASE_URL")
    """Where the API is."""
