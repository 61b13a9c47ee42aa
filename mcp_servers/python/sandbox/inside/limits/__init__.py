"""What the kernel is told to deny: namespaces, Landlock, seccomp and privileges."""
