"""Conditions on the phone's own state: the tool and pattern with which the user checks each condition."""

import re

from env_server.domains.telecom import phone_words
from env_server.domains.telecom.phone_words import APN, MODE, SIM, VPN

Look = tuple[str, str]
"""A look-up tool, and the pattern that its answer in lower case must match."""

ANYWAY: Look = ("", "")
"""No look is needed. If the condition does not hold, the order under it changes nothing."""

SO = r"so|yes|it is|it does|they are|you do|you are|you have|there is|that is(?: the case)?|that case|(?:the )?case"
NOT_SO = (
    r"not|no|it is not|it does not|they are not|you do not|you don't|you are not|you have not|there is not"
    r"|that is not(?: the case)?"
)
_SO = re.compile(SO)
_NOT_SO = re.compile(NOT_SO)
_NOT = re.compile(r"\bnot\b|n't\b")
_POSITION = re.compile(r"\b(on|off|(?:en|dis)abled|(?:in)?active|(?:de)?activated)\b")
_OFF = frozenset({"off", "disabled", "inactive", "deactivated"})
_SEEN = re.compile(r"\bin (?:air ?plane|aeroplane|flight)\b|\bicon\b|\b(?:see|using|running|have)\b")
_LACKS = re.compile(r"missing|\bnot\b|n't\b|\boff\b|without|lack|denied|disabled")
_NO_SIM = re.compile(r"missing|not (?:\w+ )?(?:detected|found|seated|inserted|recogni|in |sit)|no sim|loose")
_POOR = re.compile(r"poor|slow")
_CONNECTED = re.compile(r"\b(?:on|connected|active|enabled|running|using|use)\b")
_UNSET = re.compile(r"missing|not set|empty|absent|blank|\bnone\b|no mmsc")
_WRONG = re.compile(r"wrong|incorrect|broken|not correct|\bnot (?:\w+ )?internet|other than|anything but")
_OTHER = re.compile(r"\bnot\b|n't\b|other than|anything (?:but|else)|different")


def look_for(condition: str, asked: str, subject: str) -> Look | None:
    """Return the look that verifies `condition`. Return None if the phone cannot show it."""
    condition = condition.strip()
    if _SO.fullmatch(condition):
        return _shown(asked, asked, agreed=True)
    if _NOT_SO.fullmatch(condition):
        return _shown(asked, asked, agreed=False)
    named = phone_words.known(condition) or re.search(r"\b[2345]g\b", condition)
    return _shown(condition, condition if named else subject, agreed=None)


def _shown(says: str, about: str, *, agreed: bool | None) -> Look | None:
    """Return the look for the statement `says`. `agreed` is the expected answer to a question, or None if it is no
    question.
    """
    denied = agreed is False

    def holds(words: re.Pattern[str]) -> bool:
        return bool(words.search(says)) != denied

    name = phone_words.setting(about)
    if "permission" in about:
        return ANYWAY if holds(_LACKS) else None
    if phone_words.asks_to_pay(about):
        return None if denied or _NOT.search(says) else ("check_payment_request", r"payment request for bill")
    if name is None and (tool := phone_words.switch(about)):
        return _switch(tool, says, agreed)
    if name == SIM and holds(_NO_SIM):
        return "check_sim_status", r"no sim card"
    if name == VPN:
        return _vpn(says, agreed)
    if name == APN:
        return _apn(says, about, denied=denied)
    return _mode(says, denied=denied) if name in {MODE, None} else None


def _switch(tool: str, says: str, agreed: bool | None) -> Look | None:
    match = _POSITION.search(says)
    if match is None and agreed is None and not _SEEN.search(says):
        return None
    told = match is None or match[1] not in _OFF
    wanted = told ^ bool(_NOT.search(says)) ^ (agreed is False)
    _, look, pattern = phone_words.SWITCHES[tool]
    both = pattern.replace("(on|off|yes|no)", "(?:on|yes)" if wanted else "(?:off|no)")
    return look, both.replace("(on|off)", "on" if wanted else "off")


def _vpn(says: str, agreed: bool | None) -> Look | None:
    if agreed is False or _NOT.search(says):
        return None
    if _POOR.search(says):
        return "check_vpn_status", r"poor"
    return ("check_vpn_status", r"connected to|on and connected") if agreed or _CONNECTED.search(says) else None


def _apn(says: str, about: str, *, denied: bool) -> Look | None:
    if bool(_UNSET.search(says)) != denied and (denied <= ("mms" in about)):
        return "check_apn_settings", r"not set"
    return ("check_apn_settings", r"broken") if bool(_WRONG.search(says)) != denied else None


def _mode(says: str, *, denied: bool) -> Look | None:
    modes = re.findall(r"\b[2345]g\b", says)
    if not modes:
        return None
    if denied or _OTHER.search(says):
        return ANYWAY
    return "check_network_mode_preference", "|".join(f"{mode}[_ ]only" for mode in modes)
