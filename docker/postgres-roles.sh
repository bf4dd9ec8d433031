#!/bin/sh
# Runs once, when the database is made: Temporal gets its own role and cannot read Outdial's data.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set password="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
create role temporal login createdb password :'password';
revoke connect on database outdial from public;
SQL
