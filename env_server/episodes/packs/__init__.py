"""The content that episodes play: live packs, their listed tasks, prompts and gold outcomes."""
