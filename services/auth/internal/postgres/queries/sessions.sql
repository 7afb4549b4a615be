-- name: OpenSession :exec
-- Index: sessions_pkey. Ends the browser's previous session in the same step.
WITH ended AS (DELETE FROM sessions WHERE sessions.hash = @previous_hash)
INSERT INTO sessions (hash, person_id, created_at, expires_at)
VALUES (@hash, @person_id, @created_at, @expires_at);

-- name: GetSession :one
-- Indexes: sessions_pkey, people_pkey.
SELECT s.expires_at AS session_expires_at, sqlc.embed(people)
FROM sessions s JOIN people ON people.id = s.person_id
WHERE s.hash = @hash AND s.expires_at > @at;

-- name: CloseSession :one
-- Index: sessions_pkey.
DELETE FROM sessions WHERE hash = @hash RETURNING person_id;
