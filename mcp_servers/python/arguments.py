"""The arguments of the tools: types with a description, and the alternative names that models use."""

from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, Field, JsonValue

Code = Annotated[
    str,
    Field(
        description="Python code. Its last expression is the result's value.",
        min_length=1,
        max_length=65_536,
        validation_alias=AliasChoices("code", "python_code"),
    ),
]
Processing = Annotated[
    str,
    Field(
        description="Python code that reads the variable `data`. Its last expression is the result's value.",
        min_length=1,
        max_length=65_536,
        validation_alias=AliasChoices("processing_code", "python_code", "code"),
    ),
]
Custom = Annotated[
    str | None,
    Field(
        description="Python code that runs afterwards; it reads `data`, `series` (numbers by name) and `result`.",
        max_length=65_536,
    ),
]
Data = Annotated[JsonValue, Field(description="Any JSON value; code sees it as `data`.")]
Description = Annotated[
    str | None, Field(description="What this is for, in a few words. It changes nothing.", max_length=2_000)
]
Session = Annotated[
    str | None,
    Field(
        description=(
            'A handle from an earlier result, to go on with its variables and files, or "new" to begin a session and '
            "get its handle. Without it, a connection that lasts is a session of its own, and any other call starts "
            "afresh."
        ),
        max_length=200,
    ),
]
Key = Annotated[str, Field(description="The name to store it under.", min_length=1, max_length=200)]
AnyKey = Annotated[
    str | None, Field(description="The name of a stored result; without it, all names are listed.", max_length=200)
]
Analysis = Annotated[
    Literal["summary", "returns", "volatility", "drawdown", "trend", "moving_average", "correlation", "custom"],
    Field(description="What to compute; `custom` runs custom_code alone."),
]


class Step(BaseModel):
    """One step of a pipeline."""

    code: Annotated[
        str,
        Field(
            description="Python code that reads `data`, and leaves the next step's `data` as its last expression or in "
            "that variable.",
            min_length=1,
            max_length=65_536,
            validation_alias=AliasChoices("code", "python_code", "processing_code"),
        ),
    ]
    name: Annotated[str | None, Field(description="A name for messages.", max_length=200)] = None


Steps = Annotated[
    list[Step | Annotated[str, Field(min_length=1, max_length=65_536)]],
    Field(
        description="The steps in order, each code, or an object with code and name.",
        min_length=1,
        max_length=50,
        validation_alias=AliasChoices("pipeline_steps", "steps"),
    ),
]
Input = Annotated[
    JsonValue,
    Field(
        description="Any JSON value; the first step sees it as `data`.",
        validation_alias=AliasChoices("input_data", "data"),
    ),
]
