"""Stands in for flash-attn, which SkyRL's workers import and which needs a GPU to be built. Nothing in it is called."""
