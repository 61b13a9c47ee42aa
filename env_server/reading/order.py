"""Whether words stand in an order in which nobody would say them."""

import re

from env_server.reading.rules import compiled

_DETERMINERS = r"(?:the|a|an|your|my|our|their)"
_VERBS = r"(?:is|are|was|were|be|been|has|have|had|will|would|can|could|should)"
_SMALL = (
    rf"(?:{_DETERMINERS}|of|to|in|on|at|for|with|from|by|and|or|but|{_VERBS}|you|i|we|it|if|as|that|this|so"
    r"|there|any|please|let"
    r"|me|us)"
)
_NEVER = compiled(
    rf"\b{_DETERMINERS} (?:{_SMALL}\b(?!-)|[-;:?!.])"
    rf"|\b(?:{_DETERMINERS}|and|if|or|(?:i|we)(?<!may i)(?<!shall i)(?<!should i)(?<!can i)(?<!may we)(?<!shall we)(?<!should we)(?<!can we))[,;:?!.](?: |$)"
    rf"|\b(?:of|from|with|at|for(?<!ask for)(?<!asked for)|by) (?:{_VERBS}|to|of|for|with|by|i|we|and|or|if|please)\b"
    r"|\bto (?:is|are|was|were|been|has|had|will|would|could|of|for|at|i|we|and|with|from|if|please)\b"
    r"|\b(?:i|we) (?:the|an?|of|your|is|been|from|by|i|we|our|my)\b|\byou(?<!have you)(?<!had you) (?:of|is|been)\b"
    r"|\b(?:is|are|was|were|be|been) (?:is|are|was|were|be|has|have|had|will|would|can|of|and|please)\b"
    r"|\b(?:has|have|had) (?:is|are|was|were|be|has|have|will|would|can|of|and|at|please)\b"
    rf"|\b(?:will|would|can|could|should) (?:is|are|was|were|been|has|had|will|would|can|of|to|for|with|at|and"
    r"|in|the|a|from)\b"
    r"|\b(?:and|or) (?:of|and|or|been|be)\b|\b(?:any|each) (?:the|a|to|is|has|for|with|and|at|i|please)\b"
)
_CAPITAL = re.compile(
    r"(?<=[a-z,] )(?:The|Your|If|Would|You|This|Please|Once|Could|Here|It|We|Are|Is|Do|Let|Thank|There"
    r"|That)\b(?! [A-Z])"
)
_LOWER = re.compile(r"(?<=[a-z]{3}[.!?]) +[a-z]")
_WORDS = re.compile(r"[a-z']+")


def disordered(message: str, text: str) -> bool:
    """Whether a message, and its plain text, hold more impossible neighbours than slips and lists explain."""
    slips = len(_NEVER.findall(text)) + len(_CAPITAL.findall(message))
    if message != text and any(char.isupper() for char in message[:400]):
        slips += len(_LOWER.findall(message))
    return slips * 20 > len(_WORDS.findall(text))
