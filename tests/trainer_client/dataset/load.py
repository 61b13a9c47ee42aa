"""Run by another Python, with Hugging Face's `datasets`: loads files, joins them, and prints what is there."""

import json
import sys

import datasets

datasets.disable_progress_bars()
FORMATS = {"parquet": "parquet", "jsonl": "json"}


def load(path: str) -> datasets.Dataset:
    """One file, as SkyRL loads it."""
    kind = FORMATS[path.rsplit(".", 1)[1]]
    return datasets.load_dataset(kind, data_files=path, keep_in_memory=True)["train"]


loaded = [load(path) for path in sys.argv[1:]]
joined = datasets.concatenate_datasets(loaded)
print(json.dumps({"sizes": [len(each) for each in loaded], "rows": list(joined)}))
