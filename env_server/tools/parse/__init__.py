"""Parser of a model's message: content for the user, calls to run, or an error for the model.

`parse_text` parses raw model text in any common format, and `parse_calls` parses a structured action. Neither raises.
"""

from env_server.tools.parse.openai import parse_calls
from env_server.tools.parse.result import Format, Parsed, ParsedCall
from env_server.tools.parse.text import parse_text

__all__ = ["Format", "Parsed", "ParsedCall", "parse_calls", "parse_text"]
