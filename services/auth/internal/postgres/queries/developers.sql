-- name: CreateAccount :exec
INSERT INTO accounts (id, name, email, plan, per_minute, per_day, created_at, created_by)
VALUES (@id, @name, @email, @plan, sqlc.narg(per_minute), sqlc.narg(per_day), @created_at, @created_by);

-- name: GetAccount :one
-- Index: accounts_pkey.
SELECT sqlc.embed(accounts) FROM accounts WHERE id = @id;

-- name: SuspendAccount :one
-- Index: accounts_pkey. A repeated suspension keeps the time of the first, and its reason
-- too, unless another is given.
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
-- Index: api_keys_app. Deleted keys too, also those of a deleted app.
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
-- Index: api_keys_pkey. One statement for a batch of usage, in the order of ids, so that no
-- two batches wait for each other. It writes what is newer by more than half a minute; a
-- row that is locked is left to the next batch.
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
