#!/usr/bin/env bash
# Lets the services connect to a server from restore.sh, after carry-over.sh or end-all.sh:
#
#   deploy/backup/open.sh DATA
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 DATA" >&2
  exit 2
fi
mv "$1/pg_hba.conf.open" "$1/pg_hba.conf"
psql --no-psqlrc --no-password --quiet --tuples-only --dbname=postgres --set=ON_ERROR_STOP=1 --command='SELECT pg_reload_conf()' >/dev/null
