"""What runs inside the sandbox's processes: the template that forks workers, and the walls around each.

These modules are loaded by a fresh interpreter that holds neither the server nor its libraries, so they import the
standard library and each other only.
"""
