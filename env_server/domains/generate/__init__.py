"""Generated tasks: templates of wishes, filled in from a world, composed to tasks, listed in splits.

`part` what one wish and one caller are; `template` which wishes come together and what they can be about; `compose`
makes the task; `tasks` is the source that deals customers to splits and finds tasks by id.
"""
