-- name: AddAuditEvents :exec
-- Index: apps_pkey. The parameter events is an array of audit.Event as JSON, without empty fields. An event that
-- already exists stays unchanged. An event without a time gets this server's time. Other services know the app
-- that an event concerns, but not the app's account, so the account is looked up.
INSERT INTO audit_events (id, at, action, outcome, error_code, actor_kind, actor_id, caller,
  account_id, app_id, person_id, object_type, object_id, client_address, request_id, details)
SELECT e->>'id', coalesce((e->>'at')::timestamptz, clock_timestamp()),
  e->>'action', e->>'outcome', coalesce(e->>'code', ''),
  e->'actor'->>'kind', coalesce(e->'actor'->>'id', ''), e->>'caller',
  coalesce(e->>'account_id', (SELECT a.account_id FROM apps a WHERE a.id = e->>'app_id'), ''),
  coalesce(e->>'app_id', ''), coalesce(e->>'person_id', ''),
  coalesce(e->'object'->>'type', ''), coalesce(e->'object'->>'id', ''),
  coalesce(e->>'client_address', ''), coalesce(e->>'request_id', ''), coalesce(e->'details', '{}')
FROM jsonb_array_elements(@events::jsonb) e
ON CONFLICT (at, id) DO NOTHING;

-- name: ListAuditEvents :many
-- Index: audit_events_pkey. Lists events without a filter, or by several actions. Postgres reads the partitions
-- from the newest to the oldest, and stops when the page is full.
SELECT sqlc.embed(audit_events) FROM audit_events
WHERE at >= @since AND at <= @before_at AND (at, id) < (@before_at, @before_id::text)
  AND (cardinality(@actions::text[]) = 0 OR action = ANY (@actions::text[])) AND (@outcome::text = '' OR outcome = @outcome::text)
ORDER BY at DESC, id DESC
LIMIT @at_most;

-- name: ListActionAuditEvents :many
-- Index: audit_events_action.
SELECT sqlc.embed(audit_events) FROM audit_events
WHERE action = @action AND (@outcome::text = '' OR outcome = @outcome::text)
  AND at >= @since AND at <= @before_at AND (at, id) < (@before_at, @before_id::text)
ORDER BY at DESC, id DESC
LIMIT @at_most;

-- name: ListPersonAuditEvents :many
-- Index: audit_events_person.
SELECT sqlc.embed(audit_events) FROM audit_events
WHERE person_id = @person_id AND person_id <> ''
  AND at >= @since AND at <= @before_at AND (at, id) < (@before_at, @before_id::text)
  AND (cardinality(@actions::text[]) = 0 OR action = ANY (@actions::text[])) AND (@outcome::text = '' OR outcome = @outcome::text)
  AND (@account_id::text = '' OR account_id = @account_id::text)
  AND (@app_id::text = '' OR app_id = @app_id::text)
ORDER BY at DESC, id DESC
LIMIT @at_most;

-- name: ListAppAuditEvents :many
-- Index: audit_events_app.
SELECT sqlc.embed(audit_events) FROM audit_events
WHERE app_id = @app_id AND app_id <> ''
  AND at >= @since AND at <= @before_at AND (at, id) < (@before_at, @before_id::text)
  AND (cardinality(@actions::text[]) = 0 OR action = ANY (@actions::text[])) AND (@outcome::text = '' OR outcome = @outcome::text)
  AND (@account_id::text = '' OR account_id = @account_id::text)
ORDER BY at DESC, id DESC
LIMIT @at_most;

-- name: ListAccountAuditEvents :many
-- Index: audit_events_account.
SELECT sqlc.embed(audit_events) FROM audit_events
WHERE account_id = @account_id AND account_id <> ''
  AND at >= @since AND at <= @before_at AND (at, id) < (@before_at, @before_id::text)
  AND (cardinality(@actions::text[]) = 0 OR action = ANY (@actions::text[])) AND (@outcome::text = '' OR outcome = @outcome::text)
ORDER BY at DESC, id DESC
LIMIT @at_most;

-- name: NamesOfIDs :many
-- Indexes: people_pkey, console_names_person, members_pkey, accounts_pkey, apps_pkey, api_keys_pkey,
-- invitations_pkey. Returns the names of all objects that have one of the ids. If an account is given, it
-- returns only names that the account's members may see: the names of the account, of its objects and of its
-- members.
SELECT p.id, coalesce((SELECT n.name FROM console_names n WHERE n.person_id = p.id AND n.name <> '' LIMIT 1), p.email)::text AS name, false AS ended
FROM people p WHERE p.id = ANY (@ids::text[])
  AND (@account_id::text = '' OR EXISTS (SELECT FROM members m WHERE m.account_id = @account_id::text AND m.person_id = p.id))
UNION ALL
SELECT a.id, a.name, a.closed_at IS NOT NULL
FROM accounts a WHERE a.id = ANY (@ids::text[]) AND (@account_id::text = '' OR a.id = @account_id::text)
UNION ALL
SELECT a.id, a.name, a.deleted_at IS NOT NULL
FROM apps a WHERE a.id = ANY (@ids::text[]) AND (@account_id::text = '' OR a.account_id = @account_id::text)
UNION ALL
SELECT k.id, k.name, k.deleted_at IS NOT NULL OR a.deleted_at IS NOT NULL
FROM api_keys k CROSS JOIN LATERAL (SELECT account_id, deleted_at FROM apps WHERE apps.id = k.app_id LIMIT 1) a
WHERE k.id = ANY (@ids::text[]) AND (@account_id::text = '' OR a.account_id = @account_id::text)
UNION ALL
SELECT i.id, i.email, false
FROM invitations i WHERE i.id = ANY (@ids::text[]) AND (@account_id::text = '' OR i.account_id = @account_id::text);
