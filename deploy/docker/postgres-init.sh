#!/bin/sh
# Run once by the postgres image, in an empty cluster: a database for each service with
# two roles, which may connect to no other. One owns the database and runs the migrations.
# The service works with the other, which the migrations grant what it needs.
set -eu

provide() {
  psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set name="vitae_$1" --set password="$2" --set service="vitae_$1_service" --set service_password="$3" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE ROLE :"service" LOGIN PASSWORD :'service_password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"name" TO :"service";
SQL
}

provide auth "$VITAE_AUTH_DB_PASSWORD" "$VITAE_AUTH_SERVICE_DB_PASSWORD"
provide candidate "$VITAE_CANDIDATE_DB_PASSWORD" "$VITAE_CANDIDATE_SERVICE_DB_PASSWORD"
provide partnercatalog "$VITAE_PARTNERCATALOG_DB_PASSWORD" "$VITAE_PARTNERCATALOG_SERVICE_DB_PASSWORD"
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --command 'REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC'
