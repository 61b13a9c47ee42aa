"""Stands in for torchaudio, which LLaMA-Factory imports for sound and which has no build for this torch on PyPI."""
