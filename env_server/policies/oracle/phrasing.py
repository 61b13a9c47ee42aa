"""The oracle's wordings: five for each line, so that no reward depends on one wording."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrasing:
    """The lines of one wording. The braces stand for a plan, a fact, a list of topics or a clause."""

    greet: str
    ask: str
    propose: str
    propose_again: str
    claim: str
    refuse: str
    refuse_again: str
    tell: str
    transfer: str
    more: str


PHRASINGS = (
    Phrasing(
        greet="Hello! I will gladly help. May I have your {who}, please?",
        ask="Thank you. Could you tell me more about it, please: {topics}?",
        propose="I will {plan}. Shall I go ahead?",
        propose_again="I see. Then I will {plan}. Is that right, shall I proceed?",
        claim="Thank you for waiting: {done}.",
        refuse="I am sorry, but I cannot {plan}, because {fact}.",
        refuse_again="I understand, but I am afraid it is not possible to {plan}: {fact}.",
        tell="{tell}",
        transfer="I cannot settle this myself, because {fact}. I will transfer you to a colleague who can.",
        more="Is there anything else I can do for you?",
    ),
    Phrasing(
        greet="Hi there. Before I look anything up, please give me your {who}.",
        ask="Got it. Please let me know {topics}.",
        propose="Just to confirm before I do anything: I am going to {plan}. Do you agree (yes/no)?",
        propose_again="Understood. To confirm the new version: I am going to {plan}. Do you agree?",
        claim="All done: {done}.",
        refuse="Unfortunately I am not able to {plan}. The reason is that {fact}.",
        refuse_again="I have checked again. Unfortunately I still cannot {plan}, since {fact}.",
        tell="Here is what I found. {tell}",
        transfer="This is something that only our specialists can handle, as {fact}. I am transferring you to one now.",
        more="Can I help you with anything else today?",
    ),
    Phrasing(
        greet="Good day, thanks for reaching out. I need to verify who you are first: what is your {who}?",
        ask="Thanks! I still need some details: {topics}. Could you give me those?",
        propose="Here is what would happen:\n\n- I will **{plan}**\n\nWould you like me to proceed?",
        propose_again="Here is the corrected version:\n\n- I will **{plan}**\n\nWould you like me to proceed?",
        claim="Good news - {done}.",
        refuse="I'm sorry, it isn't possible to {plan}. Our records show that {fact}, and our rules forbid it then.",
        refuse_again="I'm really sorry, the answer stays the same: we can't {plan}, given that {fact}.",
        tell="**Result:** {tell}",
        transfer="Because {fact}, I have to hand this over. Let me transfer you to a human agent.",
        more="Anything else?",
    ),
    Phrasing(
        greet="Hello, you have reached support. Who am I speaking with? I need your {who}.",
        ask="Okay. And {topics}, please?",
        propose="So: I'd {plan}. OK for you?",
        propose_again="Right, then instead I'd {plan}. OK for you?",
        claim="Done, {done}.",
        refuse="No, sorry, I can't {plan}: {fact}.",
        refuse_again="Sorry, I really can't {plan}. As I said, {fact}.",
        tell="{tell}",
        transfer="That is one for my colleagues, because {fact}. I'm transferring you to a person.",
        more="What else can I do?",
    ),
    Phrasing(
        greet="Thank you very much for contacting us, it is a pleasure. May I kindly ask for your {who}?",
        ask="I appreciate your patience. Would you be so kind as to let me know the following: {topics}?",
        propose="I have all I need now. With your permission, I will {plan}. May I have your confirmation, please?",
        propose_again="Thank you. With your permission, I will then {plan}. May I have your confirmation?",
        claim="I am pleased to let you know that {done}.",
        refuse="I do understand your wish, and I am very sorry: we are unable to {plan}, because {fact}.",
        refuse_again="I wish I could tell you otherwise. However, we are unable to {plan}, because {fact}.",
        tell="I have looked that up for you. {tell}",
        transfer="I would like to help, but {fact}. I am therefore transferring you to a colleague of mine now.",
        more="Is there anything else I may assist you with?",
    ),
)
