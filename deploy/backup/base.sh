#!/usr/bin/env bash
# Copies all data of the Postgres server to a new folder, verifies the copy, and prints the folder:
#
#   deploy/backup/base.sh FOLDER
#
# libpq's variables select the server. A restore needs the copy and the log from receive.sh.
set -euo pipefail

if [[ $# -ne 1 ]]; then
  echo "usage: $0 FOLDER" >&2
  exit 2
fi
# Debian installs pg_verifybackup outside of PATH.
PATH=$PATH$(printf ':%s' /usr/lib/postgresql/*/bin)
mkdir -p "$1"
made=$1/base-$(date -u +%Y%m%dT%H%M%SZ)
# The copy gets its final name only after it is verified, so that an incomplete copy is never used.
pg_basebackup --pgdata="$made.part" --wal-method=none --checkpoint=fast --no-password >&2
pg_verifybackup --no-parse-wal --quiet "$made.part" >&2
mv "$made.part" "$made"
echo "$made"
