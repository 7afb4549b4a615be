-- name: CreateAccount :exec
INSERT INTO accounts (id, name, email, plan, per_minute, per_day, created_at, created_by)
VALUES (@id, @name, @email, @plan, sqlc.narg(per_minute), sqlc.narg(per_day), @created_at, @created_by);

-- name: GetAccount :one
-- Index: accounts_pkey.
SELECT sqlc.embed(accounts) FROM accounts WHERE id = @id;

-- name: SuspendAccount :one
-- Index: accounts_pkey. If the account is already suspended, the time of the first suspension is kept. Its
-- reason is kept too, unless another one is given.
UPDATE accounts SET suspended_at = coalesce(suspended_at, @at::timestamptz),
  suspension_reason = coalesce(nullif(@reason::text, ''), suspension_reason)
WHERE id = @id AND closed_at IS NULL
RETURNING sqlc.embed(accounts);

-- name: ResumeAccount :one
-- Index: accounts_pkey.
UPDATE accounts SET suspended_at = NULL, suspension_reason = '' WHERE id = @id AND closed_at IS NULL RETURNING sqlc.embed(accounts);

-- name: SetAccountPlan :one
-- Index: accounts_pkey.
UPDATE accounts SET plan = @plan, per_minute = sqlc.narg(per_minute), per_day = sqlc.narg(per_day)
WHERE id = @id AND closed_at IS NULL RETURNING sqlc.embed(accounts);

-- name: ListAllApiKeys :many
-- Index: api_keys_app. Includes deleted keys, and works for deleted apps too.
SELECT sqlc.embed(api_keys) FROM api_keys WHERE app_id = @app_id ORDER BY created_at DESC, id DESC;

-- name: CountLiveApiKeys :one
-- Index: api_keys_app.
SELECT count(*) FROM api_keys WHERE app_id = @app_id AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > @at::timestamptz);

-- name: CreateApiKey :exec
INSERT INTO api_keys (id, app_id, name, hash, hint, scopes, expires_at, created_at, created_by)
VALUES (@id, @app_id, @name, @hash, @hint, @scopes, sqlc.narg(expires_at), @created_at, @created_by);

-- name: ListApiKeys :many
-- Index: api_keys_app.
SELECT sqlc.embed(api_keys) FROM api_keys
WHERE app_id = @app_id AND deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

-- name: NoteApiKeyUses :exec
-- Index: api_keys_pkey. Handles a whole batch of usage in one statement, which locks the keys in the order of
-- their ids, so that concurrent batches don't deadlock. It updates a key only if the new time is more than half
-- a minute later. It skips locked rows and leaves them to the next batch.
UPDATE api_keys SET last_used_at = used.at
FROM (
  SELECT k.id, u.at FROM api_keys k
  JOIN (SELECT unnest(@ids::text[]) AS id, unnest(@ats::timestamptz[]) AS at) u ON u.id = k.id
  WHERE k.last_used_at IS NULL OR k.last_used_at < u.at - interval '30 seconds'
  ORDER BY k.id
  FOR NO KEY UPDATE OF k SKIP LOCKED
) used
WHERE api_keys.id = used.id;

-- name: DeleteApiKey :one
-- Indexes: api_keys_pkey, apps_pkey.
UPDATE api_keys k SET deleted_at = @at::timestamptz
FROM apps a
WHERE k.id = @id AND k.deleted_at IS NULL AND a.id = k.app_id
RETURNING k.hash, a.account_id, k.app_id;
