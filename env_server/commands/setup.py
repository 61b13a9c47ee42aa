"""Loads settings, packs and the database for the commands, with readable errors."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from agent_env_schemas import ErrorCode
from env_server.commands.output import fail, readable_errors
from env_server.episodes.quotas import rules_of
from env_server.errors import ProblemError
from env_server.records import StorageDamaged, StorageUnavailable, Store
from env_server.records.files import REMEDY
from env_server.settings import DATABASE_NAME, Settings

if TYPE_CHECKING:
    from env_server.domains.pack import Pack
    from env_server.domains.packs import Packs


def read_settings(**given: Any) -> Settings:
    """Return the settings of the environment and `.env`. Values of `given` that are not None override them.

    End the program if they are invalid, and name the variables.
    """
    try:
        settings = Settings(**{name: value for name, value in given.items() if value is not None})
        settings.keys()
        settings.user_models()
        rules_of(settings.quotas)
    except ValidationError as e:
        wrong = (
            f"{_variable(error['loc'])}: {error['msg']}" for error in e.errors(include_input=False, include_url=False)
        )
        fail("; ".join(wrong))
    except ValueError as e:
        fail(str(e))
    return settings


def _variable(location: tuple[int | str, ...]) -> str:
    return f"ENV_SERVER_{'.'.join(map(str, location)).upper()}"


def all_packs(settings: Settings) -> "Mapping[str, Packs]":
    """Return the packs of every served domain, by domain. No pack is loaded yet.

    Raises:
        DomainError: if a named domain does not exist, or a domain of another package cannot be used.
        PackError: if a directory of public data does not exist, or has data for no domain.
    """
    from env_server.domains.discovery import hosted  # noqa: PLC0415 - slow to import, and a server imports it later
    from env_server.file_cache import kept  # noqa: PLC0415 - as above

    others = settings.hosted_beside_own()
    return {} if others is None else hosted(others, settings.tau_directories(), settings.world_scale, kept(settings))


def the_domain(named: str | None) -> str:
    """Return the domain `named`, or the only domain there is. End the program if there are several."""
    if named is not None:
        return named
    with readable_errors():
        known = list(all_packs(read_settings()))
    if len(known) != 1:
        fail(f"name the domain with --domain; there are: {', '.join(known)}")
    return known[0]


def find_pack(settings: Settings, domain: str, name: str) -> "Pack":
    """Return one loaded pack.

    Raises:
        ProblemError: if there is no such domain or pack.
        DomainError: if a domain of another package cannot be used.
        PackError: if the data cannot be read.
    """
    known = all_packs(settings)
    if domain not in known and domain == settings.mcp_domain and settings.mcp_config is not None:
        said = f"{domain!r} is made of the operator's MCP servers, which this command does not start; use"
        raise ProblemError(ErrorCode.NOT_FOUND, f"{said} `env-server tasks check FILE` for its tasks")
    if domain not in known:
        raise ProblemError(ErrorCode.NOT_FOUND, f"no domain {domain!r}; there are: {', '.join(known)}")
    if name not in known[domain]:
        raise ProblemError(ErrorCode.NOT_FOUND, known[domain].no_such(name))
    return known[domain][name]


def open_store(settings: Settings) -> Store:
    """Open the database of `settings`, and create or upgrade it if needed.

    End the program if its address cannot be used.

    Raises:
        StorageUnavailable: if it cannot be reached. The message names the database.
    """
    if settings.archive_dir is not None:
        need_pyarrow("ENV_SERVER_ARCHIVE_DIR")
    with naming_database(settings):
        return Store.open(settings.database_url, settings.sqlite_synchronous, settings.archive_dir)


def need_pyarrow(what: str) -> None:
    """End the program if pyarrow, which `what` needs, is not installed."""
    if find_spec("pyarrow") is None:
        fail(f"{what} needs pyarrow: pip install '.[data]' in a checkout")


@contextmanager
def naming_database(settings: Settings, source: str = "ENV_SERVER_DATABASE_URL") -> Iterator[None]:
    """Name the database of `settings` in the errors of the context. End the program if its address cannot be used.

    `source` says where the address comes from.

    Raises:
        StorageUnavailable: if it cannot be reached.
    """
    try:
        yield
    except StorageDamaged as e:
        raise StorageDamaged(f"{database_shown(settings)}: {e}; {REMEDY}") from e
    except StorageUnavailable as e:
        raise StorageUnavailable(f"{database_shown(settings)}: {e}") from e
    except OSError as e:
        raise StorageUnavailable(f"{database_shown(settings)}: {e.strerror}") from e
    except (ArgumentError, ImportError, ValueError) as e:
        fail(f"{source}: {_without_secret(settings.database_url, str(e))}")


def _without_secret(url: str, message: str) -> str:
    """Return `message` without the database's address, which may hold a password."""
    return message.replace(url, "(the address)")


def database_shown(settings: Settings) -> str:
    """Return the database's address for display: the absolute path of a file, or a URL without its password."""
    url = make_url(settings.database_url)
    if url.database and url.get_backend_name() == "sqlite":
        return str(Path(url.database).resolve())
    return url.render_as_string(hide_password=True)


def unused_database(settings: Settings) -> Path | None:
    """Return the database of the working folder if no setting names one. Older versions used it by default."""
    here = Path(DATABASE_NAME).resolve()
    return here if "database_url" not in settings.model_fields_set and here.is_file() else None


def sqlite_file(settings: Settings) -> Path | None:
    """Return the path of the configured database if it is a SQLite file; else None."""
    url = make_url(settings.database_url)
    return Path(url.database) if url.database and url.get_backend_name() == "sqlite" else None


def missing_sqlite_file(settings: Settings) -> Path | None:
    """Return the absolute path of the configured SQLite file if it does not exist; else None."""
    prefix, _, path = settings.database_url.partition(":///")
    return Path(path).resolve() if prefix == "sqlite" and not Path(path).is_file() else None
