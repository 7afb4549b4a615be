-- name: CreatePerson :exec
INSERT INTO people (id, email, email_key, email_verified, password_hash, password_set_at, created_at, locale)
VALUES (@id, @email, @email_key, @email_verified, @password_hash, @created_at, @created_at, sqlc.narg(locale));

-- name: SetLanguage :exec
-- Index: people_pkey.
UPDATE people SET locale = @locale::text WHERE id = @id;

-- name: GetPerson :one
-- Index: people_pkey.
SELECT sqlc.embed(people) FROM people WHERE id = @id;

-- name: GetPersonByEmail :one
-- Index: people_email_key.
SELECT sqlc.embed(people) FROM people WHERE email_key = @email_key;

-- name: FindPeople :many
-- Index: people_email_beginning. Finds email addresses from the first string onwards that come before the second
-- string.
SELECT sqlc.embed(people) FROM people
WHERE email_key COLLATE "C" >= @first::text AND email_key COLLATE "C" < @until::text
ORDER BY email_key COLLATE "C"
LIMIT @at_most;

-- name: ReplacePasswordHash :exec
-- Index: people_pkey. Changes nothing if the password has been changed in the meantime.
UPDATE people SET password_hash = @new_hash WHERE id = @id AND password_hash = @old_hash;
