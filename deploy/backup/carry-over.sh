#!/usr/bin/env bash
# Brings the credentials and permissions in a restored auth database up to date, so that revocations and new credentials
# from after the restored time take effect. It copies them from the last state of the database, and leaves all other
# data as restored:
#
#   LAST='host=… dbname=vitae_auth' RESTORED='host=… dbname=vitae_auth' deploy/backup/carry-over.sh
#
# Both are libpq connection strings for the superuser. LAST is the old server if it is still running, or a second
# restore to the end of the log. No service may use either database. The script runs in one transaction, and can be
# repeated.
set -euo pipefail

: "${LAST:?set it to the last state of the auth database}"
: "${RESTORED:?set it to the restored auth database}"
export LAST

ask() { psql --no-psqlrc --no-password --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$1" --command="$2"; }

migrations='SELECT max(version_id) FROM goose_db_version WHERE is_applied'
if [[ $(ask "$LAST" "$migrations") != "$(ask "$RESTORED" "$migrations")" ]]; then
  echo 'The migrations of the two databases differ. Start only auth on the older one, and stop it when it is ready.' >&2
  exit 1
fi
if [[ $(ask "$LAST" 'SELECT pg_is_in_recovery()') == t || $(ask "$RESTORED" 'SELECT pg_is_in_recovery()') == t ]]; then
  echo 'One of the databases is still recovering. Wait until SELECT pg_is_in_recovery() returns f.' >&2
  exit 1
fi
newest="SELECT coalesce(extract(epoch FROM max(at)), 0) FROM audit_events"
if [[ $(ask "$RESTORED" "SELECT ($newest) > $(ask "$LAST" "$newest")") == t ]]; then
  echo 'RESTORED is newer than LAST. Are they swapped? Nothing was changed.' >&2
  exit 1
fi

# columns prints the writable columns of a table.
columns() {
  ask "$RESTORED" "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = '$1'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
}

# read_last copies a table from the last state to a temporary table. The condition must not contain quotes.
read_last() {
  local table=$1 rows=${2:-true} held
  held=$(columns "$table")
  echo "CREATE TEMPORARY TABLE last_$table (LIKE $table INCLUDING GENERATED) ON COMMIT DROP;"
  echo "\\copy last_$table ($held) FROM PROGRAM 'psql --no-psqlrc --no-password --quiet --set=ON_ERROR_STOP=1 --dbname=\"\$LAST\" --command=\"COPY (SELECT $held FROM $table WHERE $rows) TO STDOUT\"'"
}

# carry inserts the rows of the last state whose parents exist into a table.
carry() {
  local table=$1 rows=${2:-true} held
  held=$(columns "$table")
  echo "INSERT INTO $table ($held) SELECT $held FROM last_$table l WHERE $rows;"
}

person='EXISTS (SELECT FROM people p WHERE p.id = l.person_id)'
account='EXISTS (SELECT FROM accounts a WHERE a.id = l.account_id)'
app='EXISTS (SELECT FROM apps a WHERE a.id = l.app_id)'
connection='EXISTS (SELECT FROM connections c WHERE c.id = l.connection_id)'
family='EXISTS (SELECT FROM token_families f WHERE f.id = l.family_id)'

# The tables whose rows come from the last state, ordered so that referenced rows come first.
carried=(sessions devices passkeys passkey_ceremonies sign_in_ceilings sign_in_turns members invitations plan_requests client_secrets api_keys connections cv_links token_families
  rotated_refresh_tokens authorization_codes access_tokens console_sessions console_names console_forms usage_days usage_account_days usage_batches
  sign_ups password_resets mail_outbox mail_budgets new_profiles person_deletions)

# The tables that keep their restored rows, except for the columns that carry-over.sql updates.
kept=(people accounts apps audit_events app_logos forget_outbox goose_db_version request_log refusal_days usage_minutes
  route_latencies connection_reads connection_read_countries application_reads)
known=$(printf "'%s', " "${carried[@]}" "${kept[@]}")
unknown=$(ask "$RESTORED" "SELECT string_agg(relname, ', ') FROM pg_class WHERE relnamespace = 'public'::regnamespace
  AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT IN (${known%, })")
if [[ -n $unknown ]]; then
  echo "This script is older than the database, and does not know the tables $unknown. Nothing was changed." >&2
  exit 1
fi

# Events are stored within seconds, so seven days of overlap miss none.
since=$(ask "$RESTORED" "SELECT coalesce(extract(epoch FROM max(at) - interval '7 days'), 0) FROM audit_events")
{
  echo 'BEGIN;'
  for table in "${carried[@]}" people accounts apps; do read_last "$table"; done
  read_last audit_events "at >= to_timestamp($since)"
  for ((i = ${#carried[@]} - 1; i >= 0; i--)); do echo "DELETE FROM ${carried[i]};"; done
  cat "$(dirname "$0")/carry-over.sql"
  carry sessions "$person"
  carry devices "$person"
  carry passkeys "$person"
  carry passkey_ceremonies
  carry sign_in_ceilings
  carry sign_in_turns
  carry members "$account AND $person"
  carry invitations "$account"
  carry plan_requests "$account"
  carry client_secrets "$app"
  carry api_keys "$app"
  carry connections "$person AND $app"
  carry cv_links "$connection"
  carry token_families "$connection"
  carry rotated_refresh_tokens "$family"
  carry authorization_codes "$connection AND (family_id IS NULL OR $family)"
  carry access_tokens "$family"
  carry console_sessions "$person AND $connection"
  carry console_names "$person AND $connection"
  carry console_forms 'EXISTS (SELECT FROM console_sessions s WHERE s.hash = l.session)'
  carry usage_days
  carry usage_account_days
  carry usage_batches
  carry sign_ups
  carry password_resets
  carry mail_outbox
  carry mail_budgets
  carry new_profiles "$person"
  carry person_deletions
  # People who are missing from the last state have been deleted since the restored time. Delete them again.
  echo "INSERT INTO person_deletions (person_id, requested_at, due_at, next_at)
    SELECT p.id, now(), now(), now() FROM people p WHERE NOT EXISTS (SELECT FROM last_people l WHERE l.id = p.id)
    ON CONFLICT (person_id) DO NOTHING;"
  # The audit log is append-only, so only missing events are added.
  echo "SELECT count(make_audit_partition(week)) FROM (SELECT DISTINCT date_trunc('week', at, 'UTC') AS week FROM last_audit_events) w;"
  carry audit_events 'NOT EXISTS (SELECT FROM audit_events e WHERE e.at = l.at AND e.id = l.id)'
  echo 'COMMIT;'
} | psql --no-psqlrc --no-password --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$RESTORED" >/dev/null
