#!/usr/bin/env bash
# Creates a Postgres data folder from a copy and the log:
#
#   deploy/backup/restore.sh BASE LOG DATA [TIME]
#
# A server started on DATA recovers to TIME ('2026-03-01 12:00:00+00'), or to the end of the log. It accepts only the
# superuser PGUSER until open.sh runs. Run carry-over.sh or end-all.sh before open.sh, because revocations made after
# TIME are missing and no service may connect until then.
set -euo pipefail

if [[ $# -lt 3 || $# -gt 4 ]]; then
  echo "usage: $0 BASE LOG DATA [TIME]" >&2
  exit 2
fi
base=$1 log=$(realpath "$2") data=$3 time=${4:-}
superuser=${PGUSER:?set it to the superuser of Postgres}
if [[ -e $data ]]; then
  echo "$data exists already; a restore never overwrites data" >&2
  exit 1
fi
cp -a "$base" "$data"
chmod 700 "$data"

# Quotes in configuration strings are doubled.
quoted() { printf "'%s'" "${1//\'/\'\'}"; }
{
  # The last segment is incomplete, and its name ends in .partial.
  printf 'restore_command = %s\n' "$(quoted "cp \"$log/%f\" \"%p\" 2>/dev/null || cp \"$log/%f.partial\" \"%p\" 2>/dev/null")"
  if [[ -n $time ]]; then printf 'recovery_target_time = %s\n' "$(quoted "$time")"; fi
  echo "recovery_target_action = promote"
  # Nothing is receiving this server's log yet.
  echo "synchronous_standby_names = ''"
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"

mv "$data/pg_hba.conf" "$data/pg_hba.conf.open"
printf '%s all "%s" %s scram-sha-256\n' local "$superuser" '' host "$superuser" all >"$data/pg_hba.conf"
