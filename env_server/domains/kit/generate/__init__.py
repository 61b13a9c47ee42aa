"""Generated tasks: templates of wishes, filled in from a world, composed into tasks, and listed in splits.

`wish` defines one wish and one caller. `template` defines which wishes come together and their possible subjects.
`compose` makes the task. `tasks` is the task source: it divides the customers among the splits and finds tasks by id.
"""
