#!/usr/bin/env bash
# Ends everything that was issued before a restore, where the last state of auth's database
# is lost and nobody can tell what was revoked since:
#
#   RESTORED='host=… dbname=vitae_auth' deploy/backup/end-all.sh
#
# People sign in and consent again; partners make new keys and secrets. Who was a member of
# a developer account is printed as the commands that make them members again, for you to
# leave out those who were removed since.
set -euo pipefail

: "${RESTORED:?set it to the restored database of auth}"
exec psql --no-psqlrc --no-password --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$RESTORED" --file="$(dirname "$0")/end-all.sql"
