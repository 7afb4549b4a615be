-- name: OpenSession :exec
-- Index: sessions_pkey. Also ends the browser's previous session, in the same statement.
WITH ended AS (DELETE FROM sessions WHERE sessions.hash = @previous_hash)
INSERT INTO sessions (hash, person_id, created_at, expires_at, browser, system, country, locale, used_at)
VALUES (@hash, @person_id, @created_at, @expires_at, @browser, @system, @country, @locale, @created_at);

-- name: GetSession :one
-- Indexes: sessions_pkey, people_pkey, person_deletions_pkey.
SELECT s.expires_at AS session_expires_at, coalesce(s.used_at, s.created_at)::timestamptz AS used_at,
  coalesce(s.proved_at, s.created_at)::timestamptz AS proved_at, s.browser, s.system, s.country, d.due_at AS deletion_due_at, sqlc.embed(people)
FROM sessions s JOIN people ON people.id = s.person_id LEFT JOIN person_deletions d ON d.person_id = people.id
WHERE s.hash = @hash AND s.expires_at > @at;

-- name: NoteSessionUse :exec
-- Index: sessions_pkey. If another transaction has locked the row, the statement does nothing, because that
-- transaction records the use. If no country is given, the stored country is kept.
UPDATE sessions SET used_at = @at::timestamptz, country = coalesce(sqlc.narg(country)::text, country) WHERE hash = (
  SELECT s.hash FROM sessions s WHERE s.hash = @hash AND coalesce(s.used_at, s.created_at) <= @at::timestamptz FOR NO KEY UPDATE SKIP LOCKED);

-- name: ListSessions :many
-- Indexes: sessions_person, console_sessions_browser. Lists the sessions, most recently used first. The column
-- at_console reports whether a developer console session belongs to the session.
SELECT s.id, s.hash, s.browser, s.system, s.country, s.created_at, coalesce(s.used_at, s.created_at)::timestamptz AS used_at,
  EXISTS (SELECT FROM console_sessions c WHERE c.browser_session = s.id AND c.expires_at > @at AND c.used_at > @console_since) AS at_console
FROM sessions s WHERE s.person_id = @person_id AND s.expires_at > @at
ORDER BY coalesce(s.used_at, s.created_at) DESC, s.created_at DESC, s.id
LIMIT @at_most;

-- name: EndSession :execrows
-- Index: sessions_id. Also deletes the developer console sessions that belong to the session.
DELETE FROM sessions WHERE person_id = @person_id AND id = @id;

-- name: CloseSession :one
-- Index: sessions_pkey.
DELETE FROM sessions WHERE hash = @hash RETURNING person_id;

-- name: LockProof :one
-- Index: sessions_pkey. Returns the time of the last proof of presence in a live session. The lock prevents the
-- session from being ended before the end of the transaction.
SELECT coalesce(proved_at, created_at)::timestamptz AS proved_at FROM sessions
WHERE hash = @hash AND expires_at > @at FOR UPDATE;

-- name: NoteProof :exec
-- Index: sessions_pkey.
UPDATE sessions SET proved_at = @at::timestamptz WHERE hash = @hash;
