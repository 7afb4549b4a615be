#!/bin/sh
# Writes .env for docker-compose.yml, with new random secrets, unless it is there.
set -eu
cd "$(dirname "$0")/../.."
if [ -e .env ]; then
  echo '.env is there already; nothing changed.'
  exit 0
fi
hex() { head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
umask 077
cat > .env <<ENV
# Secrets of this deployment: keep them. The database passwords are set when the
# database volume is first made; a changed key ends every durable CV link, or signs
# everybody out.
POSTGRES_PASSWORD=$(hex)
VITAE_AUTH_DB_PASSWORD=$(hex)
VITAE_CANDIDATE_DB_PASSWORD=$(hex)
VITAE_PARTNERCATALOG_DB_PASSWORD=$(hex)
REDIS_PASSWORD=$(hex)
VITAE_CV_LINK_KEY=$(key)
VITAE_COOKIE_KEY=$(key)
# Of the example partner site, from what "vitaectl import" prints:
CLIENT_ID=
CLIENT_SECRET=
ENV
echo 'Wrote .env.'
