"""Code inside the sandbox's processes: the template that forks workers, and the restrictions of each worker.

A fresh interpreter loads these modules. It holds neither the server nor its libraries. The modules therefore import
only the standard library and each other.
"""
