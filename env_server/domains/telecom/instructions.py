"""Reading what an agent tells the user to do, by rules on its words: orders in the order told.

Only what is said as an instruction or a question about the phone counts. Descriptions, things not to do, what the
agent does itself and what is to be done only if something else does not help are none. Of alternatives, the first is.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from env_server.domains.telecom import clauses, phone_words
from env_server.domains.telecom.phone_words import APN, MESSAGING, MODE, SIM, VPN


@dataclass(frozen=True)
class Order:
    """One thing to do with an own tool."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    wanted: bool | None = None
    """For a switch: the position it shall have; None to flip it."""

    only_if: tuple[str, str] | None = None
    """A tool to look with first, and the pattern that its answer must show."""

    @property
    def looks(self) -> bool:
        """Whether it only looks."""
        return self.tool.startswith(("check_", "run_", "can_"))


_NOT = re.compile(
    r"\b(?:do not|don't|does not|never|no need|not (?:need|have) to|avoid|without|rather than|must not)\b"
)
_JSON = re.compile(r"\{[^{}]*\}")


def orders(message: str) -> list[Order]:
    """The orders in `message`, in its order; none where there are none."""
    reader = _Reader(_settings_in(message))
    for sentence in clauses.sentences(clauses.plain(_JSON.sub(" ", message[: clauses.LONGEST]))):
        reader.sentence(sentence)
    return reader.found


def _settings_in(message: str) -> dict[str, Any] | None:
    """Access point settings that are written out as a JSON object."""
    match = _JSON.search(message[: clauses.LONGEST])
    try:
        value = json.loads(match[0]) if match else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


ANYWAY = ("", "")
"""In place of a look: the order changes nothing where its condition does not hold."""


class _Reader:
    """Reads sentence by sentence; remembers what `it` is and which verb a bare noun goes on with."""

    def __init__(self, settings: dict[str, Any] | None) -> None:
        self.found: list[Order] = []
        self.settings = settings
        self.subject = ""
        """What was spoken of last: the words of a switch or setting."""

    def sentence(self, text: str) -> None:
        """Add what one sentence orders."""
        question = text.endswith("?")
        text = clauses.spelled_out(text.rstrip(" .!?;"))
        if re.match(r"(?:otherwise|else|alternatively|or else|as an alternative|unless)\b", text):
            return
        condition, rest = clauses.conditional(text)
        guard = self._guard(condition) if condition is not None else None
        if condition is not None and guard is None:
            return
        before = len(self.found)
        self._chunks(clauses.without_time(rest), question)
        if guard is not None:
            self._guarded(before, guard)

    def _guarded(self, since: int, guard: tuple[str, str]) -> None:
        """Make the orders found since then depend on what is seen first."""
        for i, order in enumerate(self.found[since:], since):
            self.found[i] = order if order.looks or guard == ANYWAY else replace(order, only_if=guard)

    def _guard(self, condition: str) -> tuple[str, str] | None:
        """What must be seen for a condition on the phone's own state to hold; None for any other condition."""
        known = phone_words.switch(condition) or phone_words.setting(condition)
        about = condition if known or re.search(r"\b[2345]g\b", condition) else self.subject
        if _SO.fullmatch(condition.strip()):
            condition = self.subject
        self._notice(about)
        tool, name = phone_words.switch(about), phone_words.setting(about)
        if "permission" in condition and re.search(r"missing|not|off|without|lack", condition):
            return ANYWAY
        if tool is not None and name is None and (match := re.search(r"\b(on|off|(?:en|dis)abled)\b", condition)):
            wanted = _is_on(match[1]) != bool(re.search(r"\bnot\b|n't\b", condition))
            _, look, pattern = phone_words.SWITCHES[tool]
            return look, pattern.replace("(on|off|yes|no)", "(?:on|yes)" if wanted else "(?:off|no)").replace(
                "(on|off)", "on" if wanted else "off"
            )
        if name == SIM and re.search(r"missing|not (?:detected|found|seated|inserted|recogni)|no sim|loose", condition):
            return "check_sim_status", r"no sim card"
        if name == VPN and re.search(r"\b(on|connected|active|enabled|running|poor|slow)\b", condition):
            return "check_vpn_status", r"poor" if re.search(
                r"poor|slow", condition
            ) else r"connected to|on and connected"
        if name == APN and re.search(r"missing|not set|empty|absent", condition):
            return "check_apn_settings", r"not set"
        if name == APN and re.search(r"wrong|incorrect|broken|not correct", condition):
            return "check_apn_settings", r"broken"
        if name in {MODE, None} and (modes := re.findall(r"\b[2345]g\b", condition)):
            return "check_network_mode_preference", "|".join(f"{m}[_ ]only" for m in modes)
        return None

    def _chunks(self, text: str, question: bool) -> None:
        verb, skipping = "", False
        for joint, chunk in clauses.split(text):
            lead, body = clauses.led(chunk)
            if _NOT.search(body) or body.startswith("not "):
                verb, skipping = "", bool(_ACTS.search(body))
                continue
            fresh = joint not in {"or", "nor"} and (not skipping or joint == "then" or body != chunk)
            if not fresh and (skipping or verb):
                continue
            skipping = False
            if match := re.match(r"(?:if|in) (?P<so>so|it is|yes|that(?: is the)? case)\b,? ?", body):
                before = len(self.found)
                guard = self._guard(match["so"])
                if guard is not None:
                    self._read(body[match.end() :], "", question=False)
                    self._guarded(before, guard)
                continue
            if re.search(r"\b(?:if|unless|in case)\b", body) and not self._holds_inside(body):
                continue
            body = re.split(r"\b(?:if|unless|so that|because|since|as this|to see|until)\b", body)[0].strip()
            head = re.match(r"[a-z']+", body)
            if head is None:
                continue
            verb = self._read(body, verb, question=question and "you" not in lead) or verb
            self._notice(body)

    def _holds_inside(self, body: str) -> bool:
        """Whether a condition at the end of a clause is that the switch is not where it shall be anyway."""
        clause, _, condition = body.partition(" if ")
        return bool(
            self._switching(clause) and re.search(r"\b(?:on|off|enabled|disabled|connected|active)\b", condition)
        )

    def _notice(self, text: str) -> None:
        if phone_words.switch(text) or phone_words.setting(text):
            self.subject = text

    def _about(self, text: str) -> str:
        """`text`, or what was spoken of before where it only says `it`."""
        known = phone_words.switch(text) or phone_words.setting(text)
        return text if known or not re.search(r"\b(?:it|them|that|this|again|back)\b", text) else self.subject

    def _read(self, body: str, verb: str, *, question: bool) -> str:
        """Add what one clause orders; the verb that a following bare noun goes on with, or nothing."""
        for name in ("_paying", "_restarting", "_reseating", "_apn", "_granting", "_mode", "_switching"):
            order = getattr(self, name)(body)
            if order:
                self._add(*order)
                return name
        if _LOOKS_AT.match(body):
            self._look(body)
            return "_look"
        if question and _ASKS.match(body) and not _NOT_PHONE.search(body):
            self._look(self._about(body) if _IS_IT.search(body) else body, pronouns=False)
            return "_look"
        if verb == "_look" and re.match(r"(?:whether|what|which|how)\b", body):
            self._look(body)
        elif verb == "_switching" and (match := _STATE.match(body)):
            self._add(*self._switched(match["what"], _is_on(match["to"])))
        elif verb and re.match(r"(?:the|your|its|both|any)?\s*[\w-]+", body) and not _CLAUSE.search(body):
            self._go_on(verb, body)
        return ""

    def _go_on(self, verb: str, body: str) -> None:
        """A bare noun after `and` or a comma: more of what was just ordered."""
        last = self.found[-1] if self.found else None
        if verb == "_look":
            self._look(body)
        elif verb == "_granting" and last is not None:
            app = phone_words.app(body) or last.arguments.get("app_name")
            self._add(*(_grant(str(app), p) for p in phone_words.permissions(body)))
        elif verb == "_switching" and last is not None and (tool := phone_words.switch(body)):
            self._add(Order(tool, wanted=last.wanted if last.tool != "disconnect_vpn" else False))
        elif verb == "_switching" and last is not None and phone_words.setting(body) == VPN:
            self._add(Order("connect_vpn" if last.wanted else "disconnect_vpn"))

    def _add(self, *found: Order) -> None:
        for order in found:
            if not (self.found and self.found[-1] == order and (order.looks or order.tool in _ONCE)):
                self.found.append(order)

    def _look(self, body: str, *, pronouns: bool = True) -> None:
        tool = phone_words.look(body) or (phone_words.look(self._about(body)) if pronouns else None)
        if tool is None:
            return
        app = {"app_name": phone_words.app(body) or MESSAGING} if tool in phone_words.APP_TOOLS else {}
        self._add(Order(tool, app))

    # Each of these reads one kind of instruction from a clause that begins with its verb.

    def _paying(self, body: str) -> list[Order]:
        if re.match(
            r"(?:pay|settle)\b(?! attention)(?=.*\b(?:bill|it|request|amount|now|invoice)\b|$)", body
        ) or re.match(r"(?:make|complete|accept|approve|confirm|finish|submit)\b.{0,20}\bpayment\b(?! method)", body):
            return [Order("make_payment")]
        return []

    def _restarting(self, body: str) -> list[Order]:
        match = re.match(r"(?:restart|reboot|power cycle|(?:do|perform) a (?:restart|reboot))\b(.*)", body)
        return [Order("reboot_device")] if match and not re.search(r"\bapp|router|modem", match[1]) else []

    def _reseating(self, body: str) -> list[Order]:
        if re.match(r"(?:reseat|reinsert|remove|take|eject|pull|put|insert|push)\b", body) and re.search(
            r"\bsim\b", self._about(body)
        ):
            return [Order("reseat_sim_card")]
        return []

    def _apn(self, body: str) -> list[Order]:
        if not re.search(phone_words.SETTINGS[APN], self._about(body)):
            return []
        if re.match(r"(?:reset|restore)\b", body):
            return [Order("reset_apn_settings")]
        if self.settings is not None and re.match(r"(?:set|change|enter|update)\b", body):
            return [Order("set_apn_settings", {"apn_settings": self.settings})]
        return []

    def _granting(self, body: str) -> list[Order]:
        if not re.match(r"(?:grant|give|allow|enable|turn on|switch on|activate|add)\b", body):
            return []
        if not re.search(r"permission|access|\bapp\b", body):
            return []
        app = phone_words.app(body) or phone_words.app(self.subject) or MESSAGING
        return [_grant(app, permission) for permission in phone_words.permissions(body)]

    def _mode(self, body: str) -> list[Order]:
        if not re.match(r"(?:set|change|switch|select|choose|put|pick|use|update)\b", body):
            return []
        if not re.search(rf"{phone_words.SETTINGS[MODE]}|network|preferred|\bonly\b|\bto [2345]g", body):
            about = re.search(phone_words.SETTINGS[MODE], self.subject) and re.search(r"\bit\b", body)
            if not about:
                return []
        mode = phone_words.mode(body)
        return [Order("set_network_mode_preference", {"mode": mode})] if mode else []

    def _switching(self, body: str) -> list[Order]:
        flip = re.match(r"(?:toggle|flip)\b(.*)", body)
        match = _TURN_2.match(body) or _TURN.match(body) or _ENABLE.match(body) or _ENSURE.match(body)
        if match is None and not flip:
            return []
        if match is not None:
            return self._switched(match["what"], _is_on(match["to"]))
        return self._switched(flip[1] if flip else "", None)

    def _switched(self, text: str, wanted: bool | None) -> list[Order]:
        about = self._about(text or "it")
        if phone_words.setting(about) == VPN and not re.search("roaming|saver", about):
            return [Order("connect_vpn" if wanted else "disconnect_vpn")] if wanted is not None else []
        tool = phone_words.switch(about)
        return [Order(tool, wanted=wanted)] if tool else []


_ACTS = re.compile(
    r"\b(?:restart|reboot|re(?:seat|set|insert|move)|turn|switch|toggle|set|change|grant|(?:en|dis)able|(?:dis)?connect|pay)\b"
)
"""The verbs that go on being forbidden over a list: `do not restart, reset or reseat`."""

_ONCE = frozenset({"reseat_sim_card", "make_payment", "reboot_device", "reset_apn_settings"})
"""What nobody means twice when it is said twice in a row."""

_TURN = re.compile(r"(?:turn|switch|toggle|put|set)\b(?P<what>.*?)\b(?:back |to )?(?P<to>on|off)\b")
_TURN_2 = re.compile(r"(?:turn|switch|toggle) (?:back )?(?P<to>on|off)\b(?P<what>.*)")
_ENABLE = re.compile(r"(?:re)?(?P<to>enable|activate|disable|deactivate|connect|disconnect)\b(?P<what>.*)")
_ENSURE = re.compile(
    r"(?:make sure|ensure|be sure)(?: that)?(?P<what>.*?)\b(?:is|are|has been|stays?)\b.*?"
    r"\b(?P<to>on|off|enabled|disabled|connected|disconnected|active|inactive)\b"
)
_STATE = re.compile(
    r"(?:that )?(?P<what>.*?) (?:is|are) (?:\w+ )?(?P<to>on|off|enabled|disabled|connected|disconnected)\b"
)
_SO = re.compile(r"so|it is|it does|yes|that is the case|that case|case")
_LOOKS_AT = re.compile(
    r"(?:check|look|verify|confirm (?:whether|if|that)|run|do a|perform|test|try|open|view|see|read|inspect|find out"
    r"|tell me|let me know|show me|report|describe|have a look|send (?:a |an |me )?(?:\w+ )?(?:picture|photo|image|mms)"
    r")\b(?! i\b)"
)
_ASKS = re.compile(r"(?:is|are|do|does|did|can|has|have|what|which|how|any|send|see|get|use|receive)\b")
_IS_IT = re.compile(r"^is (?:it|this|that) (?:\w+ )?(?:on|off|enabled|disabled|connected|active|set|missing|locked)\b")
_NOT_PHONE = re.compile(
    r"\b(?:i|we|my|us)\b|\byou (?:like|want|prefer|wish|abroad|travel\w*)\b|anything else|phone number|birth"
    r"|payment method|which (?:line|bill|plan)|how (?:much|many)|your (?:line|account|plan|bill|name)"
    r"|you (?:currently )?(?:abroad|travel\w*|roaming|outside)|your reason"
)
_CLAUSE = re.compile(r"\b(?:is|are|was|will|would|can|has|have|should|may|must|turns?|does|i|we|you|it)\b")


def _grant(app: str, permission: str) -> Order:
    return Order("grant_app_permission", {"app_name": app, "permission": permission})


def _is_on(word: str) -> bool:
    return word in {"on", "enable", "enabled", "activate", "active", "connect", "connected"}
