#!/usr/bin/env bash
# Copies the whole of Postgres, all databases at one moment, to a new folder, checks the
# copy, and prints the folder:
#
#   deploy/backup/base.sh FOLDER
#
# Postgres is found by libpq's variables. The copy is whole together with the log that
# receive.sh keeps.
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
# Debian keeps pg_verifybackup where no PATH leads.
PATH=$PATH$(printf ':%s' /usr/lib/postgresql/*/bin)
mkdir -p "$1"
made=$1/base-$(date -u +%Y%m%dT%H%M%SZ)
# Until it is checked it has another name, so a copy that was interrupted is never used.
pg_basebackup --pgdata="$made.part" --wal-method=none --checkpoint=fast --no-password >&2
pg_verifybackup --no-parse-wal --quiet "$made.part" >&2
mv "$made.part" "$made"
echo "$made"
