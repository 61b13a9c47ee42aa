"""Rule-based parser of an agent's instructions to the user. It returns orders in the order of the message.

Only instructions and questions about the phone count. Descriptions, prohibitions, the agent's own actions, and
fallbacks for a failed fix do not. Of alternatives, only the first counts.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from env_server.domains.telecom import clauses, conditions, phone_words
from env_server.domains.telecom.conditions import Look
from env_server.domains.telecom.phone_words import APN, MESSAGING, MODE, VPN


@dataclass(frozen=True)
class Order:
    """One call of the user's own tools."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    wanted: bool | None = None
    """For a switch: the wanted position, or None to flip it."""

    only_if: Look | None = None
    """A look-up tool to call first, and the pattern that its answer must match."""

    @property
    def looks(self) -> bool:
        """Whether the order only reads."""
        return self.tool.startswith(("check_", "run_", "can_"))


_NOT = re.compile(
    r"\b(?:do not|don't|does not|never|no need|not (?:need|have) to|avoid|without|rather than|must not)\b"
)
_EXPLAINS = re.compile(r"(?:which|who|where) |so (?:that )?you(?:'ll| will| can| could| may| might)? ")
"""The start of a clause that describes or explains something: `a request, which you then pay on your phone`."""

_THEN_YOU = re.compile(r"(?:and |then )*you (?:\w+ ){0,5}?(?:pay|approve|accept|settle|look at it|open it|check it)\b")
"""A clause about the user's step after an action that the agent offers: `I'd send a request; you look at it and pay it
there`.
"""

_CHOICE = re.compile(r"\byou(?:'d| would)? (?:like|want|prefer|wish|rather)\b")
"""Words of a question about what the user wants: `let me know which line you would like`."""

_JSON = re.compile(r"\{[^{}]*\}")


def orders(message: str) -> list[Order]:
    """Return the orders in `message`, in its order. Return an empty result if there are none."""
    reader = _Reader(_settings_in(message))
    told = clauses.without_options(clauses.plain(_JSON.sub(" ", message[: clauses.LONGEST])))
    for sentence in clauses.sentences(told):
        reader.sentence(sentence)
    return reader.found


def _settings_in(message: str) -> dict[str, Any] | None:
    """Return the access point settings that the message writes out as a JSON object."""
    match = _JSON.search(message[: clauses.LONGEST])
    try:
        value = json.loads(match[0]) if match else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


class _Reader:
    """A reader of one sentence at a time. It remembers the referent of `it` and the verb for a following bare noun."""

    def __init__(self, settings: dict[str, Any] | None) -> None:
        self.found: list[Order] = []
        self.settings = settings
        self.subject = ""
        """The last subject: the words of a switch or setting."""

        self.asked = ""
        """The referent of `if so`: the last subject, unless the question was about something outside the phone."""

        self.stated = ""
        """The words of a switch or setting that the sentence has stated, if it has ordered nothing yet."""

        self.offered = False
        """Whether the sentence offers an action of the agent, so that there is no order yet."""

        self.tapped = False
        """Whether the last order came from a switch to be tapped. A later position replaces the flip."""

    def sentence(self, text: str) -> None:
        """Add the orders of one sentence."""
        text = clauses.untagged(text)
        question = text.endswith("?")
        text = clauses.spelled_out(text.rstrip(" .!?;"))
        if _NO_ORDER.match(text) or (_DESCRIBES.match(_NO_CHOICE.sub("", text)) and "please" not in text):
            return
        condition, rest = clauses.conditional(text)
        guard = self._guard(condition) if condition is not None else None
        if condition is not None and guard is None:
            return
        before, self.stated = len(self.found), ""
        self.offered = bool(_OFFERS.search(text))
        self._chunks(clauses.without_time(rest), question)
        if guard is not None:
            self._guarded(before, guard)
        if question and not phone_words.known(text) and not _PRONOUN.search(text):
            self.asked = ""

    def _guarded(self, since: int, guard: Look) -> None:
        """Add a look-up condition to the orders found since then."""
        for i, order in enumerate(self.found[since:], since):
            self.found[i] = order if order.looks or guard == conditions.ANYWAY else replace(order, only_if=guard)

    def _guard(self, condition: str) -> Look | None:
        """Return the look for a condition. Return None if the phone cannot show it."""
        guard = conditions.look_for(condition, self.asked, self.subject)
        self._notice(condition)
        return guard

    def _chunks(self, text: str, question: bool) -> None:
        verb, skipping, begun, polite = "", False, False, "please" in text
        if _OWN.match(text) and not _YOURS.search(text):
            return
        for joint, chunk in clauses.split(text):
            lead, body = clauses.led(chunk)
            explains = begun and (_EXPLAINS.match(chunk) or (self.offered and _THEN_YOU.match(chunk)))
            begun, polite = begun or bool(body), polite or "you" in lead
            if explains:
                verb, skipping = "", True
                continue
            if _NOT.search(body) or body.startswith("not "):
                verb, skipping = "", bool(_ACTS.search(body))
                continue
            fresh = joint not in {"or", "nor"} and (not skipping or joint == "then" or body != chunk)
            if not fresh and (skipping or verb):
                continue
            skipping = False
            if taken := clauses.taken_up(body):
                self._under(taken[0], taken[1])
                continue
            if re.search(r"\b(?:if|unless|in case)\b", body) and not self._holds_inside(body):
                clause, _, condition = body.partition(" if ")
                self._notice(clause)
                self._under(condition, clause)
                continue
            body = self._means(lead, body)
            body = re.split(r"\b(?:if|unless|so that|because|since|as this|to see|until|now that)\b", body)[0].strip()
            head = re.match(r"[a-z']+", body)
            if head is None:
                continue
            before = len(self.found)
            verb = self._read(body, verb, question=question and "you" not in lead, polite=polite) or verb
            self.stated = "" if verb or len(self.found) > before else body if phone_words.known(body) else self.stated
            self._notice(body)

    def _under(self, condition: str, clause: str) -> None:
        """Read a clause under a condition."""
        before, guard = len(self.found), self._guard(condition) if condition else None
        if guard is not None:
            self._read(clauses.led(clause)[1], "", question=False, polite=True)
            self._guarded(before, guard)

    def _means(self, lead: str, body: str) -> str:
        """Return the action in a clause that says where to tap for it. Return any other clause unchanged."""
        match = _MEANS.match(body) or (_PATH.match(body) if lead.endswith(("settings ", "settings")) else None)
        if match is None:
            return body
        self._notice(match["where"])
        return match["deed"]

    def _holds_inside(self, body: str) -> bool:
        """Return whether the condition at the end of a clause only says that the switch does not have the wanted
        position yet.
        """
        clause, _, condition = body.partition(" if ")
        return bool(
            self._switching(clause) and re.search(r"\b(?:on|off|enabled|disabled|connected|active)\b", condition)
        )

    def _notice(self, text: str) -> None:
        if phone_words.known(text) and not (self.offered and phone_words.asks_to_pay(text)):
            self.subject = self.asked = text

    def _about(self, text: str) -> str:
        """Return `text`, or the last subject if `text` only says `it`."""
        return text if phone_words.known(text) or not _PRONOUN.search(text) else self.subject

    def _read(self, body: str, verb: str, *, question: bool, polite: bool) -> str:
        """Add the orders of one clause. Return the verb for a following bare noun, or nothing.

        A question orders a change only if it asks the user to make it: `Could you pay it?`, but not `Pay it first?`
        """
        for name in (
            ()
            if question and not polite
            else ("_paying", "_restarting", "_reseating", "_apn", "_granting", "_mode", "_vpn", "_switching")
        ):
            order = getattr(self, name)(body)
            if order:
                self._add(*order)
                return name
        if tapped := self._tapping(body):
            self._add(*tapped)
            self.tapped = True
            return ""
        if _LOOKS_AT.match(body) and not _CHOICE.search(body):
            self._look(body)
            return "_look"
        if question and _ASKS.match(body) and not _NOT_PHONE.search(body):
            refers = _IS_IT.search(body) or (self.stated and _OF_IT.match(body) and not phone_words.known(body))
            self._look(self._about(body) if refers else body, pronouns=False)
            return "_look"
        if verb == "_look" and re.match(r"(?:whether|what|which|how)\b", body):
            self._look(body)
        elif verb == "_switching" and (match := _STATE.match(body)):
            self._add(*self._switched(match["what"], _is_on(match["to"])))
        elif verb and re.match(r"(?:the|your|its|both|any)?\s*[\w-]+", body) and not _CLAUSE.search(body):
            self._go_on(verb, body)
        return ""

    def _go_on(self, verb: str, body: str) -> None:
        """Read a bare noun after `and` or a comma as the object of the last verb."""
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
            if self.tapped and order.wanted is not None and self.found[-1].tool == order.tool:
                self.found.pop()
            self.tapped = False
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
        if _PAY.match(body) or _PAY_NOW.match(body):
            return [Order("make_payment")]
        asked = _APPROVE.match(body) and phone_words.asks_to_pay(self._about(body))
        return [Order("make_payment")] if asked else []

    def _restarting(self, body: str) -> list[Order]:
        match = _RESTART.match(body)
        return [Order("reboot_device")] if match and not re.search(r"\bapp|router|modem", match[1]) else []

    def _reseating(self, body: str) -> list[Order]:
        if _RESEAT.match(body) and re.search(r"\bsim\b", self._about(body)):
            return [Order("reseat_sim_card")]
        return []

    def _apn(self, body: str) -> list[Order]:
        bare = _BARE_RESET.match(body) or (self.settings is not None and not phone_words.known(body))
        if not re.search(phone_words.SETTINGS[APN], self.subject if bare else self._about(body)):
            return []
        if _BARE_RESET.match(body):
            return [Order("reset_apn_settings")]
        if re.match(r"(?:reset|restore|revert)\b", body) or _TO_DEFAULT.match(body):
            return [Order("reset_apn_settings")]
        match = _SET.match(body)
        named = {"apn_name": match["name"]} if match and match["name"] else None
        settings = self.settings if self.settings is not None else named
        return [Order("set_apn_settings", {"apn_settings": settings})] if match and settings is not None else []

    def _granting(self, body: str) -> list[Order]:
        if not _GRANT.match(body):
            return []
        about = self._about(body)
        elsewhere = "permission" not in self.subject or phone_words.known(body)
        if elsewhere and not re.search(r"permission|access|\bapp\b", about):
            return []
        app = phone_words.app(about) or phone_words.app(self.subject) or MESSAGING
        return [_grant(app, permission) for permission in phone_words.permissions(about)]

    def _mode(self, body: str) -> list[Order]:
        if not _CHOOSE.match(body):
            return []
        named = re.search(rf"{phone_words.SETTINGS[MODE]}|network|preferred|\bonly\b|\bto [2345]g", body)
        if not named and not re.search(phone_words.SETTINGS[MODE], self.subject):
            return []
        mode = phone_words.mode(body)
        return [Order("set_network_mode_preference", {"mode": mode})] if mode else []

    def _switching(self, body: str) -> list[Order]:
        flip = re.match(r"(?:toggle|flip)\b(.*)", body)
        match = next((found for pattern in _SWITCHING if (found := pattern.match(body))), None)
        if match is not None:
            undone = re.search(r"\bnot\b", body[: match.start("to")])
            about = match["what"].strip() or "it"
            carriers = "roaming" in about and _carriers(body)  # `turn roaming off for L1` is the agent's change
            return [] if carriers else self._switched(about, _is_on(match["to"]) != bool(undone))
        if moved := _IN_MODE.match(body):
            return self._switched(moved["what"], moved["to"] in {"in", "into", "enter"})
        return self._switched(flip[1], None) if flip else []

    def _tapping(self, body: str) -> list[Order]:
        """Return the order to flip a switch that is to be tapped, without a position."""
        return self._switched(body, None) if _TAP.match(body) and phone_words.switch(body) else []

    def _vpn(self, body: str) -> list[Order]:
        match = _VPN.match(body)
        if match is None or phone_words.setting(self._about(body)) != VPN:
            return []
        return [Order("connect_vpn" if match["on"] else "disconnect_vpn")]

    def _switched(self, text: str, wanted: bool | None) -> list[Order]:
        about = self._about(text or "it")
        if phone_words.setting(about) == VPN and not re.search("roaming|saver", about):
            return [Order("connect_vpn" if wanted else "disconnect_vpn")] if wanted is not None else []
        tool = phone_words.switch(about)
        if tool == "toggle_roaming" and _carriers(about):
            return []
        return [Order(tool, wanted=wanted)] if tool else []


_ACTS = re.compile(
    r"\b(?:restart|reboot|re(?:seat|set|insert|move)|turn|switch|toggle|set|change|grant|(?:en|dis)able"
    r"|(?:dis)?connect|pay)\b"
)
"""The verbs to which a prohibition extends in a list: `do not restart, reset or reseat`."""

_ONCE = frozenset({"reseat_sim_card", "make_payment", "reboot_device", "reset_apn_settings"})
"""Actions that a repeated instruction requests only once."""

_PRONOUN = re.compile(r"\b(?:it|them|that|this|again|back|its)\b")
_OWN = re.compile(
    r"(?:(?:so|then|now|okay|ok|first|next)[, ]+)*(?:what (?:i|we)(?: can|'d| would| could|'ll| will) do is"
    r"|(?:i|we)(?: can| could| will|'ll| would|'d| am going to))\b"
)
"""The beginning of a sentence about what the agent does itself: `I'd resume the line, then enable roaming`."""

_YOURS = re.compile(r"\b(?:please|you|you'll|you'd|your phone|yourself|need|ask)\b")
_OFFERS = re.compile(
    r"\b(?:i|we)(?: can| could| will|'ll| would|'d| may| am going to| (?:then )?(?:send|create|issue|charge|push))\b"
    r"|\b(?:shall|should|may|can) (?:i|we)\b"
)
_NO_ORDER = re.compile(
    r"(?:otherwise|else|alternatively|or else|as an alternative|unless|for (?:instance|example)|such as|e\.?g)\b"
)
"""The beginning of a fallback or an example."""

_DESCRIBES = re.compile(
    r"(?:(?:so|then|now|also|and)[, ]+)*"
    r"you(?: (?:can|could|may|might)\b(?=.*\bor\b)|(?:'d| would) (?!need|have|like|mind))"
)
"""The beginning of a sentence about what the user may do or would do: `You could pay it on the phone, or by card`."""

_NO_CHOICE = re.compile(
    r"\([^()]*\)|\b(?:\d+|one way|one) or (?:\d+|two|another)\b|\bor (?:not|so|else|nothing|it|you|we)\b"
    r"|\bor (?:in|from|via|by|through|with|on) (?:the|your) (?:\w+ )?"
    r"(?:cent(?:er|re)|panel|menu|settings|bar|tile|icon|shade|screen|switch|toggle|button)\b"
    r"|\bor (?:ask|tell|call|message) me(?: if [^,;]*)?$"
)
"""What `or` joins beside a single action: amounts, ways to one switch, or what happens without the action."""

_PAY = re.compile(
    r"(?:pay|settle)\b(?! attention|.*\b(?:ways|options|either)\b)(?=.*\b(?:bill|it|request|amount|now|invoice)\b|$)"
)
_PAY_NOW = re.compile(
    r"(?:make|complete|accept|approve|authori[sz]e|confirm|finish|submit|proceed with|go ahead with)\b"
    r".{0,20}\bpayment\b(?! method)"
)
_APPROVE = re.compile(r"(?:pay|approve|authori[sz]e|accept|complete|settle|tap pay|press pay)\b")
_RESTART = re.compile(
    r"(?:restart|reboot|power[ -]cycle|(?:tap|press|choose|select|pick|hit) (?:on )?(?:restart|reboot)"
    r"|(?:do|perform|give your (?:phone|device)) (?:a|another) (?:\w+ )?(?:restart|reboot|power[ -]cycle))\b(.*)"
)
_RESEAT = re.compile(
    r"(?:reseat|reinsert|remove|take|eject|pull|put|insert|push|pop|slide|lift|press|seat|place|refit|reposition)\b"
)
_BARE_RESET = re.compile(
    r"(?:(?:tap|press|click|choose|select|hit|pick) (?:on )?)?'?(?:reset|restore)'?"
    r"(?: (?:to )?(?:the )?(?:carrier |factory )?(?:defaults?|factory)(?: (?:settings|values))?)?'?$"
)
_TO_DEFAULT = re.compile(
    r"(?:set|change|put|return|bring|switch|tap|press|choose|select|hit|use)\b.{0,80}?\b(?:reset|defaults?|factory)\b"
)
_SET = re.compile(
    r"(?:set|change|enter|update|use|put|type|configure|apply|save|fill|adjust|edit)\b"
    r"(?:.{0,80}?\bto '?(?P<name>internet|broken)\b)?"
)
_GRANT = re.compile(
    r"(?:grant|give|allow|enable|turn on|switch on|turn (?:it|them|that|this) on|activate|add|let|permit"
    r"|(?:tap|choose|select|press) allow|(?:make sure|ensure|be sure)(?: that)?(?=.{0,60}\b(?:has|have|is|are)\b))\b"
)
_CHOOSE = re.compile(r"(?:set|change|switch|select|choose|put|pick|use|update|tap|move|make sure|ensure)\b")
_ACT = (
    r"(?:restart|reboot|re(?:seat|set|insert|move)|turn|switch|toggle|set|change|grant|allow|(?:en|dis)able"
    r"|(?:de)?activate|(?:dis)?connect|pay|approve|accept|check|see|run|take|eject|pull|choose|select)\b"
)
_MEANS = re.compile(
    r"(?P<where>(?:tap|press|click|touch|hit|use|select|choose|hold|slide|move|swipe|drag|pull|open|go|navigate|head"
    r"|find"
    rf"|scroll)\b.{{0,120}}?) (?:in order )?to (?P<deed>{_ACT}.*)"
)
_PATH = re.compile(rf"(?P<where>.{{0,120}}?) to (?P<deed>{_ACT}.*)")
_TO = r"(?P<to>on|off|enabled|disabled|connected|disconnected|(?:in)?active|(?:de)?activated)\b"
_SWITCHING = (
    re.compile(r"(?:turn|switch|toggle|shut|flip|set|put) (?:back )?(?P<to>on|off)\b(?P<what>.*)"),
    re.compile(rf"(?:turn|switch|toggle|put|set|shut|slide|move|flip)\b(?P<what>.{{0,120}}?)\b(?:back |to )?{_TO}"),
    re.compile(r"(?:re)?(?P<to>enable|activate|disable|deactivate|connect|disconnect)\b(?P<what>.*)"),
    re.compile(
        r"(?:make sure|ensure|be sure)(?: that)?(?P<what>.{0,120}?)\b(?:is|are|has been|stays?)\b"
        rf"(?:(?! in ).){{0,60}}?\b{_TO}"
    ),
    re.compile(rf"(?:have|keep|leave|get)\b(?! (?:a|you|we|i|in)\b)(?P<what>.{{0,60}}?)\b{_TO}"),
)
"""Patterns for the position of a switch."""

_IN_MODE = re.compile(
    r"(?:(?:take|get|bring|put|set|switch|turn|make sure|ensure)\b.{0,60}? )?(?P<to>(?:not )?(?:out of|off|into|in)"
    r"|exit|leave|enter) (?:the )?(?P<what>(?:air ?plane|aeroplane|flight)(?: mode)?)"
)
_TAP = re.compile(r"(?:tap|press|click|touch|hit|slide|move|use)\b.{0,60}\b(?:icon|switch|toggle|slider|button|tile)\b")
_VPN = re.compile(
    r"(?:(?:stop|quit|close|end|kill|shut down|leave|exit|terminate|get off|log out of)"
    r"|(?P<on>start|launch|begin|establish))\b(?! using)"
)
_CARRIER = re.compile(r"\b(?:line|account|l\d+)\b(?!.*\b(?:phone|device)\b)")
_IN_PHONE = re.compile(
    r"\b(?:in|on|from) (?:your|the) (?:\w+ )?(?:phone|device|handset)\b(?!(?:'s)? (?:line|number|plan))"
)
_STATE = re.compile(
    r"(?:that )?(?P<what>.*?) (?:is|are) (?:\w+ )?(?P<to>on|off|enabled|disabled|connected|disconnected)\b"
)
_LOOKS_AT = re.compile(
    r"(?:check|look|verify|confirm (?:whether|if|that)|run|repeat|do a|perform|test|try|open|view|see|read|inspect"
    r"|find out|tell me|let me know|show me|report|describe|have a look"
    r"|send (?:a |an |me )?(?:\w+ )?(?:picture|photo|image|mms))\b(?! i\b)"
)
_ASKS = re.compile(r"(?:is|are|do|does|did|can|has|have|what|which|how|any|send|see|get|use|receive)\b")
_IS_IT = re.compile(r"^is (?:it|this|that) (?:\w+ )?(?:on|off|enabled|disabled|connected|active|set|missing|locked)\b")
_OF_IT = re.compile(r"(?:what|how) (?:do|does|did|is|are) (?:it|that|its \w+)\b(?! (?:suit|sound|that|you)\b)")
"""A question about what the sentence has stated: `You have a VPN on, what does it say?`"""

_NOT_PHONE = re.compile(
    r"\b(?:i|we|my|us)\b|\byou (?:like|want|prefer|wish|abroad|travel\w*)\b|anything else|phone number|birth"
    r"|payment method|which (?:one )?should|which (?:of (?:the|your|these|those) (?:\w+ )?)?(?:line|bill|plan)s?\b"
    r"|how (?:much|many)|your (?:line|account|plan|bill|name)"
    r"|you (?:currently )?(?:abroad|travel\w*|roaming|outside)|your reason"
)
_CLAUSE = re.compile(r"\b(?:is|are|was|will|would|can|has|have|should|may|must|turns?|does|i|we|you|it)\b")


def _carriers(text: str) -> bool:
    """Return whether roaming is to be changed on the line, rather than in the phone."""
    return _CARRIER.search(text) is not None and _IN_PHONE.search(text) is None


def _grant(app: str, permission: str) -> Order:
    return Order("grant_app_permission", {"app_name": app, "permission": permission})


def _is_on(word: str) -> bool:
    return word in {"on", "enable", "enabled", "activate", "activated", "active", "connect", "connected"}
