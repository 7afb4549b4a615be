#!/bin/sh
# Writes .env and the files in secrets/ for docker-compose.yml, with new random secrets.
# What is there already stays; what a newer version needs is added, and secrets that an
# .env of before holds are moved into files.
set -eu
cd "$(dirname "$0")/../.."
hex() { head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
umask 077
if [ ! -e .env ]; then
  cat > .env <<ENV
# Settings of this deployment. Its secrets are files in VITAE_SECRETS.
# CLIENT_ID and CLIENT_SECRET are the example partner site's, from what
# "vitaectl import" prints.
ENV
fi
# An editor may have left the last line without its end.
if [ -n "$(tail -c 1 .env)" ]; then echo >> .env; fi
setting() { sed -n "s/^$1=//p" .env | tail -n 1; }
add() {
  if ! grep -q "^$1=" .env; then
    printf '%s=%s\n' "$1" "$2" >> .env
    echo "Added $1 to .env."
  fi
}
# The name goes before those of volumes.
add COMPOSE_PROJECT_NAME vitae
add VITAE_SECRETS ./secrets
add CLIENT_ID ''
add CLIENT_SECRET ''

secrets=$(setting VITAE_SECRETS)
mkdir -p "$secrets"
# secret FILE VARIABLE NEW: what VARIABLE of an .env of before holds, or NEW.
secret() {
  if [ ! -e "$secrets/$1" ]; then
    old=$(setting "$2")
    printf '%s' "${old:-$3}" > "$secrets/$1.new"
    # Whoever may enter the folder, and the user of the container that has the file.
    chmod 444 "$secrets/$1.new"
    mv "$secrets/$1.new" "$secrets/$1"
    echo "Added $secrets/$1."
  fi
  if grep -q "^$2=" .env; then
    sed "/^$2=/d" .env > .env.new
    mv .env.new .env
    echo "Removed $2 from .env; $secrets/$1 has it."
  fi
}
secret postgres_password POSTGRES_PASSWORD "$(hex)"
for service in auth candidate partnercatalog; do
  upper=$(printf %s "$service" | tr a-z A-Z)
  secret "${service}_db_password" "VITAE_${upper}_DB_PASSWORD" "$(hex)"
  secret "${service}_service_db_password" "VITAE_${upper}_SERVICE_DB_PASSWORD" "$(hex)"
  at="postgres:5432/vitae_$service?sslmode=disable"
  secret "${service}_postgres_url" - "postgres://vitae_${service}_service:$(cat "$secrets/${service}_service_db_password")@$at"
  secret "${service}_postgres_migration_url" - "postgres://vitae_$service:$(cat "$secrets/${service}_db_password")@$at"
done
secret redis_password REDIS_PASSWORD "$(hex)"
# Each part's user has a password, which its URL tells the part, and its SHA-256 tells Redis.
for part in auth gateway; do
  secret "${part}_redis_url" - "redis://$part:$(hex)@redis:6379/0"
done
sum() { printf '%s' "$1" | sha256sum | cut -d ' ' -f 1; }
password_of() { sed 's|^redis://[^:]*:\([^@]*\)@.*|\1|' "$secrets/$1_redis_url"; }
secret redis_users.acl - "$(sed -e "s/#DEFAULT /#$(sum "$(cat "$secrets/redis_password")") /" \
  -e "s/#AUTH /#$(sum "$(password_of auth)") /" -e "s/#GATEWAY /#$(sum "$(password_of gateway)") /" pkg/redisacl/users.acl)
"
# A ring of keys; an empty one beside the single key that releases before had, in .env.
ring() {
  new="$(date +%Y-%m-%d):$(key)"
  if [ -n "$(setting "${2%S}")" ]; then new=; fi
  secret "$1" "$2" "$new"
}
ring cv_link_keys VITAE_CV_LINK_KEYS
ring cookie_keys VITAE_COOKIE_KEYS
ring record_keys VITAE_RECORD_KEYS
ring blob_signing_keys VITAE_BLOB_SIGNING_KEYS
