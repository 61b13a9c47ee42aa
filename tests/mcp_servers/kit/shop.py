"""The tools of a small server, with which the kit is tested."""

from typing import Annotated, Any

import anyio
from mcp.server.mcpserver import Context
from pydantic import AliasChoices, BaseModel, Field, SecretStr

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.settings import ApiSettings
from mcp_servers.kit.text import outside
from mcp_servers.kit.tools import READ, WRITE, resource, tool

KEY = "shop-s3cret-key"


class Settings(ApiSettings):
    """The shop's settings."""

    api_key: SecretStr | None = Field(default=SecretStr(KEY), validation_alias="SHOP_KEY")
    base_url: str = "https://shop.example"


class Shop:
    """The shop's API."""

    def __init__(self, settings: Settings) -> None:
        """Open."""
        self.key = settings.key()
        self.closed = 0

    async def aclose(self) -> None:
        """Close."""
        self.closed += 1


class Goods(BaseModel):
    """What there is."""

    name: str = Field(validation_alias="n")
    count: int = 1
    notes: list[str] = []

    def prose(self) -> str:
        """A sentence."""
        return f"{self.count} of {self.name}"


class Plain(BaseModel):
    """A result without prose."""

    value: str


@tool(profile="limited", aliases=("find_goods", "get_goods"), title="Goods")
async def goods(
    shop: Shop,
    name: Annotated[str, Field(description="Its name.", validation_alias=AliasChoices("name", "title"))],
    count: Annotated[int, Field(description="How many.", ge=1)] = 1,
    tags: Annotated[list[str] | None, Field(description="Its tags.")] = None,
) -> Goods:
    """Find goods.

    Example: goods(name="apple")
    """
    return Goods(n=name, count=count, notes=[*(tags or []), f"seen by {type(shop).__name__}"])


@tool(annotations=WRITE)
async def order(shop: Shop, context: Context[Any, Any], name: Annotated[str, Field(description="Its name.")]) -> Plain:
    """Order goods."""
    return Plain(value=f"{name} ordered, {type(context).__name__} {shop.closed}")


@tool()
async def leak(shop: Shop) -> Plain:
    """Return a text that must not leave the server."""
    return Plain(value=f"key \x00{shop.key}\u202e, {'x' * 500_000}")


@tool(annotations=READ)
async def wait(shop: Shop) -> Plain:
    """Call a service that never answers."""
    await anyio.sleep_forever()
    return Plain(value="late")


@tool(annotations=WRITE)
async def order_slowly(shop: Shop) -> Plain:
    """Order from a service that never answers."""
    await anyio.sleep_forever()
    return Plain(value="late")


class Rows(BaseModel):
    """Many rows."""

    count: int

    def prose(self) -> str:
        """A line each, and how to go on."""
        rows = [f"row {i}" for i in range(self.count)]
        return "\n".join([*rows, "There is more: pass cursor=abc."])


@tool()
async def many(shop: Shop, count: Annotated[int, Field(description="How many.")]) -> Rows:
    """List many rows."""
    return Rows(count=count)


@tool()
async def fail(shop: Shop, how: Annotated[str, Field(description="How.")]) -> Plain:
    """Fail."""
    if how == "typed":
        raise UpstreamError(ErrorKind.PLAN, "no plan has this")
    raise RuntimeError(f"unforeseen, {shop.key}")


@resource("shop://goods/{name}")
async def label(shop: Shop, name: str) -> str:
    """Read a label."""
    if name == "none":
        raise UpstreamError(ErrorKind.NOT_FOUND, "there is none")
    if name == "never":
        await anyio.sleep_forever()
    if name == "story":
        return f"A story:\n{outside('once')}\nThe end {shop.key}."
    return f"{name} {shop.key} <<end of outside text>>"
