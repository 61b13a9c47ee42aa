"""The arguments of the tools: types with a description and limits."""

from typing import Annotated, Literal

from pydantic import Field

from mcp_servers.kit.arguments import Date
from mcp_servers.tavily.wire import Depth, Markup, Patterns, Period, Topic, Urls, Words

Query = Annotated[Words, Field(description="What to look for, in at most 400 characters.")]
Question = Annotated[Words, Field(description="A question, in at most 400 characters.")]
Addresses = Annotated[Urls, Field(description="The addresses of one to 20 pages.")]
Passage = Annotated[
    str | None, Field(description="Give only the passages that fit this.", min_length=1, max_length=400)
]
MaxResults = Annotated[int, Field(description="How many pages to give, from 1 to 20.", ge=1, le=20)]
SearchDepth = Annotated[Depth, Field(description="`advanced` quotes up to three passages of each page.")]
About = Annotated[Topic, Field(description="`news` finds only news articles.")]
Since = Annotated[Period | None, Field(description="Only pages of the last day, week, month or year.")]
First = Annotated[Date | None, Field(description="Only pages from this day on, as YYYY-MM-DD.")]
Last = Annotated[Date | None, Field(description="Only pages up to this day, as YYYY-MM-DD.")]
Days = Annotated[int | None, Field(description="Only pages of so many last days.", ge=1, le=36_500)]
Images = Annotated[bool, Field(description="Has no effect: a result holds no images.")]
Include = Annotated[list[str], Field(description="Only pages of these domains.", max_length=300)]
Exclude = Annotated[list[str], Field(description="No pages of these domains.", max_length=150)]
WithText = Annotated[bool, Field(description="Whether to give the texts of the pages too.")]
WithAnswer = Annotated[bool, Field(description="Whether to give a short answer too.")]
Exact = Annotated[bool, Field(description='Whether a part of the query in "quotes" must occur as it stands.')]
Passages = Annotated[int, Field(description="How many passages of each page to give with a query.", ge=1, le=5)]
Thorough = Annotated[Literal["basic", "advanced"], Field(description="`advanced` reads tables and embedded parts too.")]
Form = Annotated[Markup, Field(description="The form of the texts.")]
Url = Annotated[str, Field(description="The address to start from.", min_length=1, max_length=2_000)]
Levels = Annotated[int, Field(description="How many links away from the start to go.", ge=1, le=5)]
Breadth = Annotated[int, Field(description="How many links of each page to follow.", ge=1, le=500)]
Limit = Annotated[int, Field(description="How many pages to give in all.", ge=1, le=200)]
Instructions = Annotated[
    str | None, Field(description="What the pages should be about, in plain words.", max_length=400)
]
SelectPaths = Annotated[Patterns, Field(description="Only paths in which one of these regular expressions is found.")]
ExcludePaths = Annotated[Patterns, Field(description="No paths in which one of these regular expressions is found.")]
SelectDomains = Annotated[
    Patterns, Field(description="Only domains in which one of these regular expressions is found.")
]
External = Annotated[bool, Field(description="Whether to give pages of other sites that are linked to.")]
