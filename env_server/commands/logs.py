"""Logging: one JSON object per line, or coloured text on a terminal."""

import logging
import sys
from typing import Literal, TextIO

import stamina.instrumentation
import structlog
from stamina.instrumentation import RetryDetails
from structlog.types import Processor

from env_server.telemetry.request_log import REQUEST_LOG

TALKATIVE = ("httpx", "httpx2", "httpcore", "httpcore2", "openai")
"""Loggers that write a line for every request. Only their warnings are shown."""


LogFormat = Literal["auto", "json", "console"]
"""`auto` is `console` on a terminal and else `json`."""


def configure_logs(stream: TextIO | None = None, level: int = logging.INFO, form: LogFormat = "auto") -> None:
    """Send the logs of this program and its libraries to `stream` (default: stderr). Times are in UTC."""
    stream = stream or sys.stderr
    as_text = stream.isatty() if form == "auto" else form == "console"
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_ending(as_text=as_text)],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    REQUEST_LOG.begin(stream, level, as_text=as_text)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    stamina.instrumentation.set_on_retry_hooks([_say_again])


def _say_again(details: RetryDetails) -> None:
    """Log a retry and its delay. It replaces stamina's own log line, which describes stamina's internals."""
    log = structlog.get_logger("env_server.retries")
    log.warning("trying again", after_s=round(details.wait_for, 2), retry=details.retry_num, why=str(details.caused_by))


def _ending(*, as_text: bool) -> list[Processor]:
    if as_text:
        # rich tracebacks would show every local variable, and take a second each
        return [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
