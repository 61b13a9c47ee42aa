"""Results of the tools: models with their own prose."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, JsonValue

from mcp_servers.kit.text import clean
from mcp_servers.python.sandbox.result import Result


def _clean(value: object) -> object:
    return clean(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_clean)]


class Execution(BaseModel):
    """What a piece of code did."""

    value: Annotated[Text | None, Field(description="`repr` of the last expression.")] = None
    stdout: Annotated[Text, Field(description="What the code printed.")] = ""
    stderr: Annotated[Text, Field(description="What it wrote to standard error.")] = ""
    error: Annotated[Text | None, Field(description="The traceback of an exception.")] = None
    files: Annotated[list[Text], Field(description="Files that were written, in the working directory.")] = []
    session: Annotated[str | None, Field(description="The handle to pass to go on.")] = None
    step: Annotated[str | None, Field(description="The step of a pipeline that failed.")] = None

    @classmethod
    def of(cls, result: Result, session: str | None, step: str | None = None) -> "Execution":
        """Make it from a result of the sandbox."""
        return cls(
            value=result.value,
            stdout=result.stdout,
            stderr=result.stderr,
            error=result.error,
            files=list(result.files),
            session=session,
            step=step,
        )

    def prose(self) -> str:
        """Return the text of the result."""
        parts = [
            self.stdout.rstrip("\n"),
            f"stderr:\n{self.stderr.rstrip()}" if self.stderr else "",
            self.value or "",
            f"{self.step} failed:" if self.step else "",
            self.error or "",
            f"Files written: {', '.join(self.files)}" if self.files else "",
            f"session: {self.session}" if self.session else "",
        ]
        return "\n".join(part for part in parts if part) or "(no output)"


class StoredName(BaseModel):
    """A stored result, without its data."""

    context_key: str
    description: Text | None = None


class Context(BaseModel):
    """What a session has stored."""

    stored: Annotated[list[StoredName], Field(description="All names, oldest first.")]
    data: Annotated[JsonValue, Field(description="The data under the name that was asked for.")] = None
    session: Annotated[str | None, Field(description="The handle to pass to go on.")] = None

    def prose(self) -> str:
        """Return the text of the result."""
        names = "; ".join(
            f"{each.context_key} ({each.description})" if each.description else each.context_key for each in self.stored
        )
        parts = [
            f"Stored: {names}" if names else "Nothing is stored.",
            "" if self.data is None else str(self.data),
            f"session: {self.session}" if self.session else "",
        ]
        return "\n".join(part for part in parts if part)
