"""Alembic's entry point. It runs the migrations in the transaction that `upgrade` has begun."""

from alembic import context

from env_server.records.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
