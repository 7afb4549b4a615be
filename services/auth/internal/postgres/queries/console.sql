-- name: LockConsoleApp :one
-- Index: apps_console.
SELECT sqlc.embed(apps) FROM apps WHERE is_console FOR NO KEY UPDATE;

-- name: MarkConsoleApp :exec
-- Index: apps_pkey. Fails if there already is another console app.
UPDATE apps SET is_console = true WHERE id = @id;

-- name: SetRedirectURIs :exec
-- Index: apps_pkey.
UPDATE apps SET redirect_uris = @redirect_uris WHERE id = @id;

-- name: ListSecretHashes :many
-- Index: client_secrets_app. Lists the live secrets, newest first.
SELECT id, hash, expires_at FROM client_secrets
WHERE app_id = @app_id AND (expires_at IS NULL OR expires_at > @at::timestamptz)
ORDER BY created_at DESC, id DESC;

-- name: LiveConsoleToken :one
-- Indexes: access_tokens_pkey, apps_console, accounts_pkey, connections_pkey, authorization_codes_family,
-- sessions_id. Reads a live access token for the console's app, with its person and the browser session in which
-- it was requested. That session must be live too.
SELECT t.connection_id, c.person_id, p.id AS app_id, a.id AS account_id, b.id AS browser_session FROM access_tokens t
JOIN apps p ON p.id = t.app_id AND p.is_console
JOIN accounts a ON a.id = p.account_id AND a.suspended_at IS NULL
JOIN connections c ON c.id = t.connection_id AND c.ended_at IS NULL AND c.paused_at IS NULL
  AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
JOIN authorization_codes k ON k.family_id = t.family_id
JOIN sessions b ON b.id = k.session_id AND b.expires_at > @at
WHERE t.hash = @hash AND NOT t.legacy AND t.revoked_at IS NULL AND t.expires_at > @at;

-- name: OpenConsoleSession :exec
INSERT INTO console_sessions (hash, person_id, connection_id, created_at, used_at, expires_at, browser_session)
VALUES (@hash, @person_id, @connection_id, @created_at, @created_at, @expires_at, @browser_session);

-- name: PutConsoleName :exec
-- Index: console_names_pkey.
INSERT INTO console_names (connection_id, person_id, name) VALUES (@connection_id, @person_id, @name)
ON CONFLICT (connection_id) DO UPDATE SET name = excluded.name;

-- name: GetConsoleSession :one
-- Indexes: console_sessions_pkey, connections_pkey, apps_pkey, people_pkey, console_names_pkey, sessions_id. A
-- session is no longer live if it was last used before unused_since, or if its browser session has ended.
SELECT s.expires_at AS session_expires_at, s.used_at, coalesce(b.proved_at, b.created_at)::timestamptz AS proved_at,
  coalesce(n.name, '')::text AS name, sqlc.embed(people)
FROM console_sessions s
JOIN connections c ON c.id = s.connection_id AND c.ended_at IS NULL AND c.paused_at IS NULL
  AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
JOIN apps p ON p.id = c.app_id AND p.deleted_at IS NULL
JOIN people ON people.id = s.person_id
LEFT JOIN console_names n ON n.connection_id = s.connection_id
JOIN sessions b ON b.id = s.browser_session AND b.expires_at > @at
WHERE s.hash = @hash AND s.expires_at > @at AND s.used_at > @unused_since;

-- name: NoteConsoleSessionUse :exec
-- Index: console_sessions_pkey. If another transaction has locked the row, the statement does nothing, because
-- that transaction records the use.
UPDATE console_sessions SET used_at = @at::timestamptz WHERE hash = (
  SELECT s.hash FROM console_sessions s WHERE s.hash = @hash AND s.used_at < @at::timestamptz FOR NO KEY UPDATE SKIP LOCKED);

-- name: CloseConsoleSession :exec
-- Index: console_sessions_pkey.
DELETE FROM console_sessions WHERE hash = @hash;

-- name: TakeConsoleForm :execrows
-- Indexes: console_sessions_pkey, console_forms_pkey. Inserts no row if the form has already been taken or the
-- session has ended.
INSERT INTO console_forms (session, form)
SELECT s.hash, @form::text FROM console_sessions s WHERE s.hash = @session FOR KEY SHARE
ON CONFLICT (session, form) DO NOTHING;
