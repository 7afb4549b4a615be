-- name: CreateAccount :exec
INSERT INTO accounts (id, name, email, plan, per_minute, per_day, created_at, created_by)
VALUES (@id, @name, @email, @plan, sqlc.narg(per_minute), sqlc.narg(per_day), @created_at, @created_by);

-- name: GetAccount :one
-- Index: accounts_pkey.
SELECT sqlc.embed(accounts) FROM accounts WHERE id = @id;

-- name: SuspendAccount :one
-- Index: accounts_pkey. A repeated suspension keeps the time of the first.
UPDATE accounts SET suspended_at = coalesce(suspended_at, @at::timestamptz) WHERE id = @id AND closed_at IS NULL
RETURNING sqlc.embed(accounts);

-- name: ResumeAccount :one
-- Index: accounts_pkey.
UPDATE accounts SET suspended_at = NULL WHERE id = @id AND closed_at IS NULL RETURNING sqlc.embed(accounts);

-- name: SetAccountPlan :one
-- Index: accounts_pkey.
UPDATE accounts SET plan = @plan, per_minute = sqlc.narg(per_minute), per_day = sqlc.narg(per_day)
WHERE id = @id AND closed_at IS NULL RETURNING sqlc.embed(accounts);

-- name: CreateApp :exec
-- The app holds its newest secret too, for replicas of the release before client_secrets.
WITH app AS (
  INSERT INTO apps (id, account_id, name, logo_url, client_id, client_type, secret_hash, redirect_uris, scopes, legacy, created_at)
  VALUES (@id, @account_id, @name, @logo_url, @client_id, @client_type, sqlc.narg(secret_hash), @redirect_uris, @scopes, @legacy, @created_at)
  RETURNING id, secret_hash, created_at
)
INSERT INTO client_secrets (id, app_id, hash, created_at, created_by)
SELECT @secret_id::text, app.id, app.secret_hash, app.created_at, @created_by::text FROM app WHERE app.secret_hash IS NOT NULL;

-- name: GetApp :one
-- Index: apps_pkey.
SELECT sqlc.embed(apps) FROM apps WHERE id = @id;

-- name: CreateApiKey :exec
INSERT INTO api_keys (id, app_id, name, hash, scopes, expires_at, created_at)
VALUES (@id, @app_id, @name, @hash, @scopes, sqlc.narg(expires_at), @created_at);

-- name: ListApiKeys :many
-- Index: api_keys_app.
SELECT sqlc.embed(api_keys) FROM api_keys
WHERE app_id = @app_id AND deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

-- name: DeleteApiKey :one
-- Indexes: api_keys_pkey, apps_pkey.
UPDATE api_keys k SET deleted_at = @at::timestamptz
FROM apps a
WHERE k.id = @id AND k.deleted_at IS NULL AND a.id = k.app_id
RETURNING k.hash, a.account_id, k.app_id;
