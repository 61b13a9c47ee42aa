"""Code runs in a conversation as in a notebook."""

from typing import Any

import pytest

from mcp_servers.python.sandbox.limits import Limits
from mcp_servers.python.sandbox.pool import ProcessBackend
from tests.mcp_servers.python.sandbox.conftest import Talk


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("1 + 1", {"value": "2"}),
        ("x = 5", {}),
        ("None", {}),
        ("", {}),
        ("print('a'); 'b'", {"stdout": "a\n", "value": "'b'"}),
        ("import sys; print('e', file=sys.stderr)", {"stderr": "e\n"}),
        ("import os; n = os.write(2, b'raw')", {"stdout": "raw"}),
        ("print('\\ud800')", {"stdout": "\\ud800\n"}),
        ("'\\ud800'", {"value": "'\\ud800'"}),
        ("sys = __import__('sys'); sys.stdout.close(); print('still')", {"stdout": "still\n"}),
        ("object()", {"value": "<object object at 0x0>"}),
        ("import os; os.getcwd()", {"value": "'/scratch'"}),
        ("__name__", {"value": "'__main__'"}),
    ],
)
async def test_what_a_call_gives(talk: Talk, code: str, shown: dict[str, Any]) -> None:
    """Output, errors and the value of the last expression come apart, and text is always valid."""
    empty = {"stdout": "", "stderr": "", "value": None, "error": None, "killed": None}
    async with talk() as conversation:
        result = vars(await conversation.run(code))
    assert {name: result[name] for name in empty} == empty | shown


async def test_state(talk: Talk) -> None:
    """Variables, imports, files and classes outlive a call, and another conversation sees none of them."""
    async with talk() as one, talk() as other:
        await one.run("import json\nx = 41\nclass Point:\n    pass\nopen('a.txt', 'w').write('here')")
        assert (await one.run("x += 1\njson.dumps([x, open('a.txt').read(), Point.__name__])")).value is not None
        assert "NameError" in ((await other.run("x")).error or "")
        assert (await other.run("import os; os.listdir()")).value == "[]"


async def test_libraries(talk: Talk) -> None:
    """pandas, NumPy with threads of its own, and the standard library calculate."""
    async with talk() as conversation:
        code = "import pandas as pd, numpy as np\nf = pd.DataFrame({'a': [1, 2, 3]})\nf.to_csv('f.csv')\n"
        assert (await conversation.run(f"{code}float(pd.read_csv('f.csv').a.mean())")).value == "2.0"
        assert (await conversation.run("float(np.linalg.norm(np.ones((3, 3)) @ np.ones(3)))")).value is not None
        code = "import sqlite3, statistics, decimal, zoneinfo, concurrent.futures as f\n"
        code += "rows = sqlite3.connect(':memory:').execute('select 1').fetchall()\n"
        code += "list(f.ThreadPoolExecutor(2).map(abs, [-1])), rows"
        assert (await conversation.run(code)).value == "([1], [(1,)])"
        code = "import shutil; open('a', 'w').write('1'); shutil.copy2('a', 'b'); open('b').read()"
        assert (await conversation.run(code)).value == "'1'"


async def test_asyncio(talk: Talk) -> None:
    """Event loops run, with tasks and threads, though there are no sockets."""
    code = "import asyncio\nasync def main():\n    await asyncio.sleep(0.001)\n"
    code += "    return await asyncio.gather(asyncio.to_thread(abs, -1), asyncio.sleep(0, 2))\nasyncio.run(main())"
    async with talk() as conversation:
        for _ in range(2):
            assert (await conversation.run(code)).value == "[1, 2]"


async def test_only_what_was_named_can_be_imported(talk: Talk) -> None:
    """Other installed packages do not exist, so results do not depend on them; the working folder's modules do."""
    async with talk() as conversation:
        assert "No module named 'pytest'" in ((await conversation.run("import pytest")).error or "")
        assert (await conversation.run("import sys; sys.modules.get('pyarrow')")).value is None
        await conversation.run("open('mine.py', 'w').write('x = 3')")
        assert (await conversation.run("import mine; mine.x")).value == "3"


async def test_files(talk: Talk) -> None:
    """A result names the files that its call wrote, below folders too."""
    async with talk() as conversation:
        result = await conversation.run("import os\nos.mkdir('d')\nfor n in 'ab': open(f'd/{n}', 'w').write(n)")
        assert result.files == ("d/a", "d/b")
        assert (await conversation.run("open('d/a').read()")).files == ()
        assert (await conversation.run("open('d/a', 'w').write('longer')")).files == ("d/a",)


async def test_errors(talk: Talk) -> None:
    """A traceback begins at the code, shows its lines, and names no folder of the machine."""
    async with talk() as conversation:
        error = (await conversation.run("def f():\n    return 1 / 0\nf()")).error or ""
        assert "return 1 / 0" in error
        assert error.startswith('Traceback (most recent call last):\n  File "<call 1>", line 3')
        assert "SyntaxError" in ((await conversation.run("x = (")).error or "")
        error = (await conversation.run("import json; json.loads('{')")).error or ""
        assert 'File "json/' in error
        nested = "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('second') from e"
        error = (await conversation.run(nested)).error or ""
        assert "ZeroDivisionError" in error
        assert "second" in error
        assert "sandbox" not in error


async def test_inputs_and_kept_values(talk: Talk) -> None:
    """Values can be passed in, and the last value can be bound to a name."""
    async with talk() as conversation:
        await conversation.run("[x * 2 for x in data]", inputs={"data": [1, 2]}, keep="data")
        await conversation.run("None", keep="data")
        assert (await conversation.run("data")).value == "[2, 4]"


@pytest.mark.parametrize("code", ["print('x' * 30_000)", "'x' * 30_000", "import os; os.write(1, b'x' * 30_000)"])
async def test_much_output_is_cut(talk: Talk, code: str) -> None:
    """Output and values are cut at the limit, and say how much is missing."""
    async with talk() as conversation:
        result = await conversation.run(code)
    text = result.stdout or result.value or ""
    assert len(text) < 10_100
    assert "cut]" in text


async def test_too_long_requests(backend: ProcessBackend, talk: Talk) -> None:
    """Code and data beyond the limits are refused before they reach a worker."""
    async with talk() as conversation:
        assert "longer than" in ((await conversation.run("#" * 70_000)).error or "")
        data = {"data": "x" * backend.limits.data}
        assert "longer than" in ((await conversation.run("1", inputs=data)).error or "")
        assert (await conversation.run("data[-1]", inputs={"data": "y" * 1_000_000})).value == "'y'"


def test_limits_are_settings() -> None:
    """Limits are plain data with defaults."""
    assert Limits() == Limits(seconds=30.0)
