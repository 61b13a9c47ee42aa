"""Resource limits of a sandbox's worker: time, memory, files, output, threads."""

from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of one conversation; sizes are in bytes.

    Attributes:
        seconds: Wall time of one call, in seconds.
        cpu_s: Processor time of a worker over its lifetime, in seconds.
        memory: Address space, in addition to what the loaded packages use.
        disk: Total size of the files in the scratch folder. A worker that exceeds it is ended.
        file: Size of one file. Writing more raises OSError in the code.
        files: Number of files and folders in the scratch folder.
        output: Size of standard output, of standard error and of the last value, each. The beginning is kept.
        threads: Number of threads, with the main thread.
        descriptors: Number of open file descriptors.
        code: Length of the code in UTF-8.
        data: Length of the input variables of a call, as JSON.
    """

    seconds: float = 30.0
    cpu_s: int = 600
    memory: int = 1024 * MB
    disk: int = 16 * MB
    file: int = 8 * MB
    files: int = 1000
    output: int = 20_000
    threads: int = 64
    descriptors: int = 64
    code: int = 64 * 1024
    data: int = 4 * MB
