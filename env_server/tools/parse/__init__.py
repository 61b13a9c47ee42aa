"""What a model's message means: content for the user, calls to run, or a mistake to tell the model about.

`parse_text` reads raw model text in any common format, `parse_calls` a structured action. Neither raises.
"""

from env_server.tools.parse.openai import parse_calls
from env_server.tools.parse.result import Call, Format, Parsed
from env_server.tools.parse.text import parse_text

__all__ = ["Call", "Format", "Parsed", "parse_calls", "parse_text"]
