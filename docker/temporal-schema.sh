#!/bin/sh
# Makes Temporal's two databases and brings their schemas up to date; harmless when repeated.
set -eu
setup() {
  tool="temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal --database $1"
  $tool create-database || echo "database $1 is there already"
  $tool setup-schema --version 0.0 || echo "schema of $1 is there already"
  $tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$2/versioned"
}
setup temporal temporal
setup temporal_visibility visibility
