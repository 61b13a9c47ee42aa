"""`trainer export`: the trained weights of a job, as files that an inference server loads."""
