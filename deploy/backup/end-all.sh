#!/usr/bin/env bash
# Ends every credential in a restored auth database, when the last state is lost and nobody
# knows what was revoked since:
#
#   RESTORED='host=… dbname=vitae_auth' deploy/backup/end-all.sh
#
# People sign in and consent again, and partners create new keys and secrets. The script
# removes the members of developer accounts, and prints the commands that add them again.
# Omit those who had been removed.
set -euo pipefail

: "${RESTORED:?set it to the restored auth database}"
exec psql --no-psqlrc --no-password --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$RESTORED" --file="$(dirname "$0")/end-all.sql"
