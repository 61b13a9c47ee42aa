"""A small reference loop of GRPO, and the experiment that shows that it learns through a real server.

Read `grpo.py` first. It needs torch, as `pip install '.[learn]'` installs it; the client does not.
"""
