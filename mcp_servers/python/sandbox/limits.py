"""What a worker may use."""

from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of one conversation; sizes are in bytes.

    Attributes:
        seconds: Wall time of one call.
        cpu_s: Processor seconds of a worker over its whole life.
        memory: Address space beyond what the loaded packages take.
        disk: All files of the scratch folder together. A worker that writes more is ended.
        file: One file. Writing more raises OSError in the code.
        files: Files and folders in the scratch folder.
        output: Of standard output, standard error and the last value, each. Kept is the beginning.
        threads: Threads, the main one included.
        descriptors: Open files.
        code: Length of the code, in UTF-8.
        data: Length of the variables that a call brings along, as JSON.
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
