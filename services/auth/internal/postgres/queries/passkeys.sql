-- name: AddCeremony :exec
INSERT INTO passkey_ceremonies (hash, purpose, binding, state, expires_at)
VALUES (@hash, @purpose, @binding, @state, @expires_at);

-- name: TakeCeremony :one
-- Index: passkey_ceremonies_pkey. A challenge is answered once: whoever comes second finds no
-- row.
DELETE FROM passkey_ceremonies WHERE hash = @hash RETURNING purpose, binding, state, expires_at;

-- name: LockPasswordOf :one
-- Index: people_pkey. Changes to the ways in of one person wait for each other, so that none
-- takes away the last.
SELECT password_hash FROM people WHERE id = @id FOR NO KEY UPDATE;

-- name: CountPasskeys :one
-- Index: passkeys_person.
SELECT count(*) FROM passkeys WHERE person_id = @person_id;

-- name: AddPasskey :exec
INSERT INTO passkeys (id, person_id, credential_id, public_key, flags, sign_count, aaguid, transports, name, created_at)
VALUES (@id, @person_id, @credential_id, @public_key, @flags, @sign_count, @aaguid, @transports, @name, @created_at);

-- name: ListPasskeys :many
-- Index: passkeys_person. The oldest first.
SELECT sqlc.embed(passkeys) FROM passkeys WHERE person_id = @person_id ORDER BY created_at, id;

-- name: GetPasskey :one
-- Indexes: passkeys_credential, people_pkey.
SELECT sqlc.embed(passkeys), sqlc.embed(people)
FROM passkeys JOIN people ON people.id = passkeys.person_id WHERE passkeys.credential_id = @credential_id;

-- name: NotePasskeyUse :execrows
-- Index: passkeys_pkey. A passkey that was removed meanwhile opens nothing.
UPDATE passkeys SET flags = @flags, sign_count = @sign_count, used_at = @at::timestamptz WHERE id = @id;

-- name: RenamePasskey :execrows
-- Index: passkeys_pkey.
UPDATE passkeys SET name = @name WHERE id = @id AND person_id = @person_id;

-- name: RemovePasskey :execrows
-- Index: passkeys_pkey.
DELETE FROM passkeys WHERE id = @id AND person_id = @person_id;

-- name: RemovePassword :exec
-- Index: people_pkey. When it was set stays, and with it the browsers that the account knows:
-- what they have shown is that the person has signed in there.
UPDATE people SET password_hash = '' WHERE id = @id;
