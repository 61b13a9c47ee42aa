"""The settings of the server."""

from pydantic import AliasChoices, Field, SecretStr

from mcp_servers.kit.settings import ApiSettings

TAVILY = "https://api.tavily.com"


class TavilySettings(ApiSettings):
    """Where Tavily is, and the key for it."""

    api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("TAVILY_API_KEY"))
    """The key; without one, the tools answer from the offline world."""
    base_url: str = Field(default=TAVILY, validation_alias="TAVILY_BASE_URL")
    """Where the API is."""
