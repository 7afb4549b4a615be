-- name: ListAccounts :many
-- Index: accounts_list. Lists open accounts. An empty search text matches every account. A rare one makes the
-- query read the whole index, which is acceptable: there are only thousands of accounts, and only operators
-- search.
SELECT sqlc.embed(accounts), lower(accounts.name)::text AS position FROM accounts
WHERE closed_at IS NULL AND (lower(name) COLLATE "C", id) > (@after_name::text, @after_id::text)
  AND strpos(lower(name || ' ' || email), lower(@text::text)) > 0
ORDER BY lower(name) COLLATE "C", id
LIMIT @at_most;

-- name: LockPerson :one
-- Index: people_pkey. Locks the person, so that accounts that a person creates concurrently are all counted.
SELECT email_verified FROM people WHERE id = @id FOR NO KEY UPDATE;

-- name: CountCreatedAccounts :one
-- Index: accounts_creator.
SELECT count(*) FROM accounts WHERE created_by = @created_by AND created_by <> '' AND closed_at IS NULL;

-- name: UpdateAccount :one
-- Index: accounts_pkey. Changing the name removes the verification, because operators verified the account under
-- its previous name.
UPDATE accounts SET name = @name, email = @email, verified_at = CASE WHEN name = @name THEN verified_at END
WHERE id = @id RETURNING sqlc.embed(accounts);

-- name: VerifyAccount :one
-- Index: accounts_pkey. If the account is already verified, the time of the first verification is kept.
UPDATE accounts SET verified_at = coalesce(verified_at, @at::timestamptz) WHERE id = @id AND closed_at IS NULL
RETURNING sqlc.embed(accounts);

-- name: ListVerifiedNames :many
-- Index: accounts_verified.
SELECT name FROM accounts WHERE verified_at IS NOT NULL AND closed_at IS NULL AND id <> @besides;

-- name: UnverifyAccount :one
-- Index: accounts_pkey.
UPDATE accounts SET verified_at = NULL WHERE id = @id AND closed_at IS NULL RETURNING sqlc.embed(accounts);

-- name: CloseAccount :exec
-- Index: accounts_pkey. A closed account is also suspended, so that a check for suspended accounts covers closed
-- ones too.
UPDATE accounts SET closed_at = @at::timestamptz, suspended_at = coalesce(suspended_at, @at::timestamptz), verified_at = NULL
WHERE id = @id;
