#!/bin/sh
# Run once by the postgres image, in an empty cluster: a database for each service,
# and a role that owns it and may connect to no other.
set -eu

provide() {
  psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set name="vitae_$1" --set password="$2" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
}

provide auth "$VITAE_AUTH_DB_PASSWORD"
provide candidate "$VITAE_CANDIDATE_DB_PASSWORD"
provide partnercatalog "$VITAE_PARTNERCATALOG_DB_PASSWORD"
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --command 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC'
