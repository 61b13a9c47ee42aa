"""The agents' words for switches, settings and screens of a phone.

All patterns match text normalised by `clauses.plain`: lower case, `wifi` and `reseat` in one word, no underscores.
"""

import re
from collections.abc import Mapping

SWITCHES: Mapping[str, tuple[str, str, str]] = {
    "toggle_airplane_mode": (
        r"(?:air ?plane|aeroplane|flight)(?: mode)?",
        "check_network_status",
        r"airplane mode(?: is|:) (on|off)",
    ),
    "toggle_wifi_calling": (r"wifi calling", "check_wifi_calling_status", r"wi-fi calling is .*?(on|off)\b"),
    "toggle_wifi": (r"wifi", "check_wifi_status", r"wi-fi is (?:turned )?(on|off)"),
    "toggle_data_saver_mode": (
        r"data[ -](?:saver|saving)(?: mode)?",
        "check_data_restriction_status",
        r"data saver (?:mode )?is (on|off)",
    ),
    "toggle_roaming": (r"(?:data )?roaming", "check_network_status", r"data roaming (?:is |enabled: )(on|off|yes|no)"),
    "toggle_data": (
        r"(?:mobile|cellular) (?:data|internet)|data connection|\bdata\b(?! (?:usage|plan|limit|allowance|left))",
        "check_network_status",
        r"mobile data (?:is |enabled: )(on|off|yes|no)",
    ),
}
"""Tool that flips a switch -> what agents call it, the tool that shows it, and how its position reads there."""

VPN, SIM, APN, MODE = "vpn", "sim", "apn", "mode"
SETTINGS: Mapping[str, str] = {
    VPN: r"\bvpn\b",
    SIM: r"\bsim\b",
    APN: r"\bapn\b|access point|\bmmsc\b",
    MODE: r"network (?:mode|type|preference)|preferred network|mode preference|network technology",
}
"""Setting that is no switch -> the agents' words for it."""

MODES: tuple[tuple[str, str], ...] = (
    (r"5g|\bauto(?:matic)?\b", "4g_5g_preferred"),
    (r"4g|lte", "4g_only"),
    (r"3g", "3g_only"),
    (r"2g", "2g_only"),
)
"""Pattern for a network mode, best first -> the mode."""

LOOKS: tuple[tuple[str, str], ...] = (
    (r"status bar", "check_status_bar"),
    (r"speed ?test|(?:internet|data|download|connection) speed|how fast", "run_speed_test"),
    (r"payment request|request for (?:the )?payment", "check_payment_request"),
    (r"permission", "check_app_permissions"),
    (r"installed|which apps|list of (?:the |your )?apps", "check_installed_apps"),
    (r"app status|status of (?:the|your) \w+ app|status of (?:the |your )?app", "check_app_status"),
    (r"\bmms\b|(?:picture|photo|multimedia) messag|\bsend (?:\w+ )?(?:picture|photo|image)s?", "can_send_mms"),
    (SETTINGS[APN], "check_apn_settings"),
    (SETTINGS[VPN], "check_vpn_status"),
    (r"wifi calling", "check_wifi_calling_status"),
    (r"data[ -](?:saver|saving|restriction)|background data", "check_data_restriction_status"),
    (SETTINGS[MODE], "check_network_mode_preference"),
    (SETTINGS[SIM], "check_sim_status"),
    (r"wifi", "check_wifi_status"),
    (
        r"air ?plane|flight mode|network (?:status|connection|settings?)|cellular|mobile data|roaming|\bsignal\b"
        r"|\b(?:have|any|get|show\w*) (?:\w+ )?service\b|mobile network",
        "check_network_status",
    ),
)
"""Pattern for a thing to look at, the more specific first -> the tool that shows it."""

APP_TOOLS = frozenset({"check_app_permissions", "check_app_status"})
PERMISSIONS = ("sms", "storage", "phone", "network")
MESSAGING = "messaging"
_APP = re.compile(
    r"\b(?!(?:the|your|an?|this|that|of|default|which|each)\b)([\w-]+)(?:'s)? app\b|\b(messaging|browser)\b"
)
_TEXTING = frozenset({"messages", "message", "texting", "text", "sms", "mms"})


def switch(text: str) -> str | None:
    """Return the tool for the first switch that `text` names."""
    hits = [(m.start(), tool) for tool, (words, _, _) in SWITCHES.items() if (m := re.search(words, text))]
    at = min((start for start, _ in hits), default=None)
    return next((tool for start, tool in hits if start == at), None)


def setting(text: str) -> str | None:
    """Return the other setting that `text` names."""
    return next((name for name, words in SETTINGS.items() if re.search(words, text)), None)


def asks_to_pay(text: str) -> bool:
    """Return whether `text` names a payment request."""
    return re.search(r"payment request|request (?:for|of) (?:the |a )?payment", text) is not None


def known(text: str) -> bool:
    """Return whether `text` names a thing to which a later `it` may refer."""
    return bool(switch(text) or setting(text)) or "permission" in text or asks_to_pay(text)


def look(text: str) -> str | None:
    """Return the tool that shows the thing that `text` names."""
    return next((tool for words, tool in LOOKS if re.search(words, text)), None)


def mode(text: str) -> str | None:
    """Return the wanted network mode in `text`: the words after its last `to`, if there is one."""
    wish = re.split(r"\bto\b", text)[-1]
    return next((name for words, name in MODES if re.search(words, wish)), None)


def app(text: str) -> str | None:
    """Return the app that `text` names."""
    match = _APP.search(text)
    name = (match[1] or match[2]) if match else None
    return MESSAGING if name in _TEXTING else name


def permissions(text: str) -> list[str]:
    """Return the permissions that `text` names, in its order."""
    text = re.sub(r"\b(?:your|(?:on|in|of|from) (?:the|your)) phone(?:'s)?\b(?! permission)", " ", text)
    found = re.findall(rf"\b({'|'.join(PERMISSIONS)})\b(?! (?:app|number|settings))", text)
    return list(dict.fromkeys(found))
