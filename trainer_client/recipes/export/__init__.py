"""What a job has trained, as files that an inference server loads: `trainer export`."""
