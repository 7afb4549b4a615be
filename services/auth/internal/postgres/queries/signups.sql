-- name: AddSignUp :exec
INSERT INTO sign_ups (hash, email, email_key, name, password_hash, locale, return_path, created_at, expires_at)
VALUES (@hash, @email, @email_key, @name, @password_hash, @locale, '', @created_at, @expires_at);

-- name: GetSignUp :one
-- Index: sign_ups_pkey.
SELECT sqlc.embed(sign_ups) FROM sign_ups WHERE hash = @hash AND expires_at > @at;

-- name: TakeSignUp :execrows
-- Index: sign_ups_pkey. A link can be used only once: a second use finds no row.
DELETE FROM sign_ups WHERE hash = @hash AND expires_at > @at;

-- name: DropSignUps :exec
-- Index: sign_ups_email.
DELETE FROM sign_ups WHERE email_key = @email_key;

-- name: AddNewProfile :exec
INSERT INTO new_profiles (person_id, name, created_at) VALUES (@person_id, @name, @created_at);

-- name: ListNewProfiles :many
-- Indexes: new_profiles_created, people_pkey. Lists the profiles, oldest first.
SELECT n.name, sqlc.embed(people) FROM new_profiles n JOIN people ON people.id = n.person_id
ORDER BY n.created_at LIMIT @at_most;

-- name: GetNewProfile :one
-- Indexes: new_profiles_pkey, people_pkey.
SELECT n.name, sqlc.embed(people) FROM new_profiles n JOIN people ON people.id = n.person_id WHERE n.person_id = @person_id;

-- name: DropNewProfile :exec
-- Index: new_profiles_pkey.
DELETE FROM new_profiles WHERE person_id = @person_id;
