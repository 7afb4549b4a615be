#!/bin/sh
# Writes .env for docker-compose.yml, with new random secrets. What is there already
# stays; what a newer version needs is added.
set -eu
cd "$(dirname "$0")/../.."
hex() { head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
umask 077
if [ ! -e .env ]; then
  cat > .env <<ENV
# Secrets of this deployment: keep them. The database passwords are set when the
# database volume is first made. docs/operations.md, "Keys", says how a key is
# replaced: one that is taken away ends what it has signed.
# CLIENT_ID and CLIENT_SECRET are the example partner site's, from what
# "vitaectl import" prints.
ENV
fi
# An editor may have left the last line without its end.
if [ -n "$(tail -c 1 .env)" ]; then echo >> .env; fi
add() {
  if ! grep -q "^$1=" .env; then
    printf '%s=%s\n' "$1" "$2" >> .env
    echo "Added $1 to .env."
  fi
}
add POSTGRES_PASSWORD "$(hex)"
add VITAE_AUTH_DB_PASSWORD "$(hex)"
add VITAE_AUTH_SERVICE_DB_PASSWORD "$(hex)"
add VITAE_CANDIDATE_DB_PASSWORD "$(hex)"
add VITAE_CANDIDATE_SERVICE_DB_PASSWORD "$(hex)"
add VITAE_PARTNERCATALOG_DB_PASSWORD "$(hex)"
add VITAE_PARTNERCATALOG_SERVICE_DB_PASSWORD "$(hex)"
add REDIS_PASSWORD "$(hex)"
# A ring of keys, unless there is one, or the single key that releases before had.
ring() {
  if ! grep -q "^${1%S}=" .env; then
    add "$1" "$(date +%Y-%m-%d):$(key)"
  fi
}
ring VITAE_CV_LINK_KEYS
ring VITAE_COOKIE_KEYS
ring VITAE_RECORD_KEYS
ring VITAE_BLOB_SIGNING_KEYS
add CLIENT_ID ''
add CLIENT_SECRET ''
