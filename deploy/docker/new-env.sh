#!/bin/sh
# Writes .env and the files in secrets/ for docker-compose.yml, with new random secrets.
# Keeps existing settings and secrets, and adds missing ones.
set -eu
cd "$(dirname "$0")/../.."
hex() { head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
umask 077
if [ ! -e .env ]; then
  cat > .env <<ENV
# Settings of this deployment. Its secrets are files in VITAE_SECRETS. CLIENT_ID and CLIENT_SECRET are for the example
# partner site; "vitaectl import" prints them.
ENV
fi
# An editor may have left the last line without a line feed.
if [ -n "$(tail -c 1 .env)" ]; then echo >> .env; fi
setting() { sed -n "s/^$1=//p" .env | tail -n 1; }
add() {
  if ! grep -q "^$1=" .env; then
    printf '%s=%s\n' "$1" "$2" >> .env
    echo "Added $1 to .env."
  fi
}
# Compose prefixes volume names with the project name.
add COMPOSE_PROJECT_NAME vitae
add VITAE_SECRETS ./secrets
add CLIENT_ID ''
add CLIENT_SECRET ''

secrets=$(setting VITAE_SECRETS)
mkdir -p "$secrets"
# secret FILE VALUE: writes a file that does not exist yet.
secret() {
  if [ ! -e "$secrets/$1" ]; then
    printf '%s' "$2" > "$secrets/$1.new"
    # Readable by the user of the container. Only the owner can enter the folder.
    chmod 444 "$secrets/$1.new"
    mv "$secrets/$1.new" "$secrets/$1"
    echo "Added $secrets/$1."
  fi
}
secret postgres_password "$(hex)"
for service in auth candidate partnercatalog; do
  secret "${service}_db_password" "$(hex)"
  secret "${service}_service_db_password" "$(hex)"
  at="postgres:5432/vitae_$service?sslmode=disable"
  secret "${service}_postgres_url" "postgres://vitae_${service}_service:$(cat "$secrets/${service}_service_db_password")@$at"
  secret "${service}_postgres_migration_url" "postgres://vitae_$service:$(cat "$secrets/${service}_db_password")@$at"
done
secret redis_password "$(hex)"
# Each service has its own Redis user. The service reads the password from its URL, and Redis reads the SHA-256 from the
# ACL file.
for part in auth gateway; do
  secret "${part}_redis_url" "redis://$part:$(hex)@redis:6379/0"
done
sum() { printf '%s' "$1" | sha256sum | cut -d ' ' -f 1; }
password_of() { sed 's|^redis://[^:]*:\([^@]*\)@.*|\1|' "$secrets/$1_redis_url"; }
secret redis_users.acl "$(sed -e "s/#DEFAULT /#$(sum "$(cat "$secrets/redis_password")") /" \
  -e "s/#AUTH /#$(sum "$(password_of auth)") /" -e "s/#GATEWAY /#$(sum "$(password_of gateway)") /" pkg/redisacl/users.acl)
"
for ring in cv_link_keys cookie_keys record_keys blob_signing_keys; do
  secret "$ring" "$(date +%Y-%m-%d):$(key)"
done
