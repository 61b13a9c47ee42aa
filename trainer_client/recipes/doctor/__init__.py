"""The command `trainer doctor`: is this machine ready for a job?"""
