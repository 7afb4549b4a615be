#!/bin/sh
# The postgres image runs this script once, in an empty cluster. It creates a database for each service, and two roles
# that cannot connect to any other database. One role owns the database and runs the migrations. The service uses the
# other role, to which the migrations grant the necessary rights. The passwords are secrets in docker-compose.yml.
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
