"""Memory and use of the GPUs of this node, by NVIDIA's library, which comes with vLLM."""

from contextlib import suppress
from typing import Any

from trainer_client.recipes.grpo.health import GPU_MEMORY, GPU_USE


def gpus() -> dict[str, float]:
    """The metrics; none without GPUs, or without the library."""
    try:
        import pynvml  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 -- it may be missing
    except ImportError:
        return {}
    try:
        pynvml.nvmlInit()
        return _read(pynvml)
    except pynvml.NVMLError:
        return {}
    finally:
        with suppress(pynvml.NVMLError):
            pynvml.nvmlShutdown()


def _read(nvml: Any) -> dict[str, float]:
    handles = [nvml.nvmlDeviceGetHandleByIndex(place) for place in range(nvml.nvmlDeviceGetCount())]
    memory = [nvml.nvmlDeviceGetMemoryInfo(each) for each in handles]
    use = [nvml.nvmlDeviceGetUtilizationRates(each).gpu / 100 for each in handles]
    if not handles:
        return {}
    return {GPU_MEMORY: max(each.used / each.total for each in memory), GPU_USE: sum(use) / len(use)}
