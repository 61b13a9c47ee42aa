"""The policy of every domain: its length, its names of tools, and tasks for each of its rules."""

import re
from itertools import chain

from tests.contract.acts import each_domain, stage

WORDS = 800
TESTED = 12
TEMPLATES = 15
RULE = re.compile(r"^(\d+)\. ", re.MULTILINE)


@each_domain
def test_the_policy_names_only_tools_that_exist(domain: str) -> None:
    """Every name in code type or snake case in the policy is a tool, an argument or a table."""
    pack = stage(domain).pack
    arguments = chain.from_iterable(tool.arguments.model_fields for tool in pack.local_tools.values())
    known = {*pack.agent_tools, *pack.user_tools, *arguments, *pack.snapshot.tables}
    named = {*re.findall(r"`([a-z_]+)`", pack.policy), *re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", pack.policy)}
    assert named <= known


@each_domain
def test_the_policy_is_one_to_be_read(domain: str) -> None:
    """The policy has 800 words or more, and its rules are numbered from 1 without a gap."""
    policy = stage(domain).pack.policy
    numbers = [int(number) for number in RULE.findall(policy)]
    assert len(policy.split()) >= WORDS
    assert numbers == list(range(1, len(numbers) + 1))


@each_domain
def test_every_rule_is_put_to_the_test(domain: str) -> None:
    """Tasks name each numbered rule, and at least 12 rules have a template that fails an agent who ignores them."""
    on = stage(domain)
    rules = on.generated.rules
    assert list(map(int, RULE.findall(on.pack.policy))) == list(rules)
    assert sum(template is not None for template in rules.values()) >= TESTED
    named = {template for template in rules.values() if template not in {None, "*"}}
    for split in on.pack.splits:
        assert named <= {task.template for task in on.listed(split)}, split


@each_domain
def test_there_are_enough_templates(domain: str) -> None:
    """There are at least 15 templates, each with its own name and in every split."""
    on = stage(domain)
    names = [template.name for template in on.generated.templates]
    assert len(set(names)) == len(names) >= TEMPLATES
    for split in on.pack.splits:
        assert {task.template for task in on.listed(split)} == set(names), split
