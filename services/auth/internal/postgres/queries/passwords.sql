-- name: AddPasswordReset :exec
INSERT INTO password_resets (hash, email_key, return_path, created_at, expires_at, link)
VALUES (@hash, @email_key, '', @created_at, @expires_at, @link);

-- name: LivePasswordReset :one
-- Indexes: password_resets_email, people_email_key. Returns the newest link for an address that is still valid
-- and was created after the given time. Older links are not renewed, so that repeated requests cannot keep a
-- link alive forever.
SELECT r.hash, r.link
FROM password_resets r LEFT JOIN people p ON p.email_key = r.email_key
WHERE r.email_key = @email_key AND r.expires_at > @at AND r.created_at > @made_after AND r.link <> ''
  AND (p.id IS NULL OR r.created_at >= p.password_set_at)
ORDER BY r.created_at DESC LIMIT 1;

-- name: RenewPasswordReset :exec
-- Index: password_resets_pkey.
UPDATE password_resets SET expires_at = @expires_at WHERE hash = @hash;

-- name: GetPasswordReset :one
-- Indexes: password_resets_pkey, people_email_key. A link is no longer valid if the password was changed after
-- the link was created.
SELECT sqlc.embed(people)
FROM password_resets r JOIN people ON people.email_key = r.email_key
WHERE r.hash = @hash AND r.expires_at > @at AND r.created_at >= people.password_set_at;

-- name: TakePasswordReset :execrows
-- Index: password_resets_pkey. A link can be used only once: a second use finds no row.
DELETE FROM password_resets WHERE hash = @hash AND expires_at > @at;

-- name: DropPasswordResets :exec
-- Index: password_resets_email.
DELETE FROM password_resets WHERE email_key = @email_key;

-- name: SetPassword :execrows
-- Index: people_pkey. Changes nothing if the password has been changed in the meantime.
UPDATE people SET password_hash = @new_hash, password_set_at = @at WHERE id = @id AND password_hash = @old_hash;

-- name: EndSessionsOf :exec
-- Index: sessions_person. Ends all of a person's browser sessions except one.
DELETE FROM sessions WHERE person_id = @person_id AND hash <> @kept;

-- name: EndConsoleSessionsOf :exec
-- Index: console_sessions_person.
DELETE FROM console_sessions WHERE person_id = @person_id;
