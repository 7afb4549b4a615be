-- name: ListAccounts :many
-- Index: accounts_list. Every account has the empty text. A text that few have
-- makes it read the whole index: there are thousands of accounts, and operators alone ask.
SELECT sqlc.embed(accounts), lower(accounts.name)::text AS position FROM accounts
WHERE closed_at IS NULL AND (lower(name) COLLATE "C", id) > (@after_name::text, @after_id::text)
  AND strpos(lower(name || ' ' || email), lower(@text::text)) > 0
ORDER BY lower(name) COLLATE "C", id
LIMIT @at_most;

-- name: LockPerson :one
-- Index: people_pkey. Accounts that a person creates at the same time are counted one after the
-- other.
SELECT email_verified FROM people WHERE id = @id FOR NO KEY UPDATE;

-- name: CountCreatedAccounts :one
-- Index: accounts_creator.
SELECT count(*) FROM accounts WHERE created_by = @created_by AND created_by <> '' AND closed_at IS NULL;

-- name: UpdateAccount :one
-- Index: accounts_pkey. A verification was given to a name.
UPDATE accounts SET name = @name, email = @email, verified_at = CASE WHEN name = @name THEN verified_at END
WHERE id = @id RETURNING sqlc.embed(accounts);

-- name: VerifyAccount :one
-- Index: accounts_pkey. A repeated verification keeps the time of the first.
UPDATE accounts SET verified_at = coalesce(verified_at, @at::timestamptz) WHERE id = @id AND closed_at IS NULL
RETURNING sqlc.embed(accounts);

-- name: ListVerifiedNames :many
-- Index: accounts_verified.
SELECT name FROM accounts WHERE verified_at IS NOT NULL AND closed_at IS NULL AND id <> @besides;

-- name: UnverifyAccount :one
-- Index: accounts_pkey.
UPDATE accounts SET verified_at = NULL WHERE id = @id AND closed_at IS NULL RETURNING sqlc.embed(accounts);

-- name: CloseAccount :exec
-- Index: accounts_pkey. A closed account is suspended too, so that what refuses suspended ones need not ask for both.
UPDATE accounts SET closed_at = @at::timestamptz, suspended_at = coalesce(suspended_at, @at::timestamptz), verified_at = NULL
WHERE id = @id;
