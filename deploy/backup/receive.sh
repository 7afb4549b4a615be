#!/usr/bin/env bash
# Writes Postgres's write-ahead log to a folder until it is stopped:
#
#   deploy/backup/receive.sh FOLDER
#
# libpq's variables (PGHOST, PGPORT, PGUSER, PGPASSFILE) select the server. With synchronous_standby_names =
# 'vitae_backup', Postgres confirms a commit only after it has been written to the folder. While the script
# is not running, a replication slot retains the log.
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
mkdir -p "$1"
pg_receivewal --slot=vitae_backup --create-slot --if-not-exists --no-password
PGAPPNAME=vitae_backup exec pg_receivewal --directory="$1" --slot=vitae_backup --synchronous --no-password
