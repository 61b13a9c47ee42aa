"""The restrictions that the kernel enforces: namespaces, Landlock, seccomp and privileges."""
