#!/usr/bin/env bash
# Revokes every credential in a restored auth database. Use it if the most recent data is lost, so it is unknown what
# was revoked after the backup:
#
#   RESTORED='host=… dbname=vitae_auth' deploy/backup/end-all.sh
#
# People must sign in and consent again, and partners must create new keys and secrets. The script removes the members
# of developer accounts, and prints the commands that add them again. Omit members who had been removed.
set -euo pipefail

: "${RESTORED:?set it to the restored auth database}"
exec psql --no-psqlrc --no-password --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$RESTORED" --file="$(dirname "$0")/end-all.sql"
