-- name: AddCeremony :exec
INSERT INTO passkey_ceremonies (hash, purpose, binding, state, expires_at)
VALUES (@hash, @purpose, @binding, @state, @expires_at);

-- name: TakeCeremony :one
-- Index: passkey_ceremonies_pkey. A challenge can be answered only once: a second response finds no row.
DELETE FROM passkey_ceremonies WHERE hash = @hash RETURNING purpose, binding, state, expires_at;

-- name: LockPasswordOf :one
-- Index: people_pkey. Serializes changes to the same person's sign-in methods, so that concurrent changes cannot
-- remove all of them.
SELECT password_hash FROM people WHERE id = @id FOR NO KEY UPDATE;

-- name: CountPasskeys :one
-- Index: passkeys_person.
SELECT count(*) FROM passkeys WHERE person_id = @person_id;

-- name: AddPasskey :exec
INSERT INTO passkeys (id, person_id, credential_id, public_key, flags, sign_count, aaguid, transports, name, created_at)
VALUES (@id, @person_id, @credential_id, @public_key, @flags, @sign_count, @aaguid, @transports, @name, @created_at);

-- name: ListPasskeys :many
-- Index: passkeys_person. Lists the passkeys, oldest first.
SELECT sqlc.embed(passkeys) FROM passkeys WHERE person_id = @person_id ORDER BY created_at, id;

-- name: GetPasskey :one
-- Indexes: passkeys_credential, people_pkey.
SELECT sqlc.embed(passkeys), sqlc.embed(people)
FROM passkeys JOIN people ON people.id = passkeys.person_id WHERE passkeys.credential_id = @credential_id;

-- name: NotePasskeyUse :execrows
-- Index: passkeys_pkey. Updates no row if the passkey has been removed in the meantime. The caller then rejects
-- the sign-in or proof.
UPDATE passkeys SET flags = @flags, sign_count = @sign_count, used_at = @at::timestamptz WHERE id = @id;

-- name: RenamePasskey :execrows
-- Index: passkeys_pkey.
UPDATE passkeys SET name = @name WHERE id = @id AND person_id = @person_id;

-- name: RemovePasskey :execrows
-- Index: passkeys_pkey.
DELETE FROM passkeys WHERE id = @id AND person_id = @person_id;

-- name: RemovePassword :exec
-- Index: people_pkey. The column password_set_at stays unchanged, so the account still knows its browsers: in
-- each of them, the person has signed in successfully.
UPDATE people SET password_hash = '' WHERE id = @id;
