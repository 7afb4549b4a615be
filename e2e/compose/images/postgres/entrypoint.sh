#!/bin/bash
set -euo pipefail
export POSTGRES_USER=${POSTGRES_USER:-postgres}
if [[ $EUID -eq 0 ]]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  install -d -o postgres -g postgres /var/run/postgresql
  exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi
if [[ ! -s $PGDATA/PG_VERSION ]]; then
  password=${POSTGRES_PASSWORD-}
  if [[ -n ${POSTGRES_PASSWORD_FILE-} ]]; then password=$(<"$POSTGRES_PASSWORD_FILE"); fi
  initdb --username "$POSTGRES_USER" --pwfile <(printf '%s\n' "$password") --auth-local trust --auth-host scram-sha-256
  printf "listen_addresses = '*'\n" >>"$PGDATA/postgresql.conf"
  printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait --options "-c listen_addresses=''" start
  for script in /docker-entrypoint-initdb.d/*.sh; do
    if [[ -x $script ]]; then "$script"; elif [[ -e $script ]]; then . "$script"; fi
  done
  pg_ctl --wait --mode fast stop
fi
exec "$@"
