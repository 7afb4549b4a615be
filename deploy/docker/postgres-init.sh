#!/bin/sh
# Run once by the postgres image, in an empty cluster: a database for each service with
# two roles, which may connect to no other. One owns the database and runs the migrations.
# The service works with the other, which the migrations grant what it needs. Their
# passwords are in files (secrets of docker-compose.yml).
set -eu
secrets=${SECRETS:-/run/secrets}

provide() {
  psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set name="vitae_$1" --set password="$(cat "$secrets/$1_db_password")" \
    --set service="vitae_$1_service" --set service_password="$(cat "$secrets/$1_service_db_password")" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE ROLE :"service" LOGIN PASSWORD :'service_password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"name" TO :"service";
SQL
}

provide auth
provide candidate
provide partnercatalog
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --command 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC'
