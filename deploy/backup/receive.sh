#!/usr/bin/env bash
# Keeps the write-ahead log of Postgres in a folder, as it is written, until it is stopped:
#
#   deploy/backup/receive.sh FOLDER
#
# Postgres is found by libpq's variables (PGHOST, PGPORT, PGUSER, PGPASSFILE). With
# synchronous_standby_names = 'vitae_backup' Postgres confirms a commit only when it is in
# the folder. The slot keeps what is not in the folder yet, also while this does not run.
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
mkdir -p "$1"
pg_receivewal --slot=vitae_backup --create-slot --if-not-exists --no-password
PGAPPNAME=vitae_backup exec pg_receivewal --directory="$1" --slot=vitae_backup --synchronous --no-password
