#!/usr/bin/env bash
# Makes a data folder of Postgres from a copy and the log:
#
#   deploy/backup/restore.sh BASE LOG DATA [TIME]
#
# Postgres, started on DATA, is then as it was at TIME ('2026-03-01 12:00:00+00'), and
# without it as it was at the end of the log. It lets only PGUSER in, a superuser, until
# open.sh: what was revoked after TIME is not revoked there before carry-over.sh or
# end-all.sh has run, so no part may reach it.
set -euo pipefail

if [[ $# -lt 3 || $# -gt 4 ]]; then
  echo "usage: $0 BASE LOG DATA [TIME]" >&2
  exit 2
fi
base=$1 log=$(realpath "$2") data=$3 time=${4:-}
superuser=${PGUSER:?set it to the superuser of Postgres}
if [[ -e $data ]]; then
  echo "$data is there already; a restore never writes over data" >&2
  exit 1
fi
cp -a "$base" "$data"
chmod 700 "$data"

# In a text of the configuration a quote is two.
quoted() { printf "'%s'" "${1//\'/\'\'}"; }
{
  # The last segment is not full yet and has a name of its own.
  printf 'restore_command = %s\n' "$(quoted "cp \"$log/%f\" \"%p\" 2>/dev/null || cp \"$log/%f.partial\" \"%p\" 2>/dev/null")"
  if [[ -n $time ]]; then printf 'recovery_target_time = %s\n' "$(quoted "$time")"; fi
  echo "recovery_target_action = promote"
  # Nobody keeps the log of this server yet.
  echo "synchronous_standby_names = ''"
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"

mv "$data/pg_hba.conf" "$data/pg_hba.conf.open"
printf '%s all "%s" %s scram-sha-256\n' local "$superuser" '' host "$superuser" all >"$data/pg_hba.conf"
