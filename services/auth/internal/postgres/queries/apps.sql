-- name: CreateApp :exec
WITH app AS (
  INSERT INTO apps (id, account_id, name, description, logo_url, logo_version, homepage, privacy_policy, terms, support,
    client_id, client_type, redirect_uris, scopes, legacy, created_at, created_by)
  VALUES (@id, @account_id, @name, @description, @logo_url, @logo_version, @homepage, @privacy_policy, @terms, @support,
    @client_id, @client_type, @redirect_uris, @scopes, @legacy, @created_at, @created_by)
  RETURNING id, created_at
)
INSERT INTO client_secrets (id, app_id, hash, created_at, created_by)
SELECT @secret_id::text, app.id, sqlc.narg(secret_hash)::bytea, app.created_at, @created_by::text FROM app WHERE sqlc.narg(secret_hash)::bytea IS NOT NULL;

-- name: GetApp :one
-- Index: apps_pkey.
SELECT sqlc.embed(apps) FROM apps WHERE id = @id AND deleted_at IS NULL;

-- name: GetAppOfAnyTime :one
-- Index: apps_pkey. Reads the app even if it has been deleted.
SELECT sqlc.embed(apps) FROM apps WHERE id = @id;

-- name: KeepApp :one
-- Index: apps_pkey. Reads an app and prevents changes to it until the end of the transaction: a transaction that
-- changes or deletes the app (LockAppToChange) has to wait. If such a transaction came first, KeepApp waits for
-- it and sees its outcome. Consents do not wait for each other.
SELECT sqlc.embed(apps) FROM apps WHERE id = @id AND deleted_at IS NULL FOR KEY SHARE;

-- name: LockAppForKey :one
-- Index: apps_pkey. Like KeepApp, but transactions that create keys for the same app wait for each other, so
-- that all keys are counted.
SELECT sqlc.embed(apps) FROM apps WHERE id = @id AND deleted_at IS NULL FOR NO KEY UPDATE;

-- name: LockAppToChange :one
-- Index: apps_pkey. Waits for transactions in progress that store a consent or a new key for the app.
SELECT sqlc.embed(apps) FROM apps WHERE id = @id AND deleted_at IS NULL FOR UPDATE;

-- name: UpdateApp :one
-- Index: apps_pkey.
UPDATE apps SET name = @name, description = @description, logo_url = @logo_url, logo_version = @logo_version,
  homepage = @homepage, privacy_policy = @privacy_policy, terms = @terms, support = @support,
  redirect_uris = @redirect_uris, scopes = @scopes, scopes_version = @scopes_version, scopes_since = @scopes_since,
  updated_at = @updated_at
WHERE id = @id
RETURNING sqlc.embed(apps);

-- name: PutAppLogo :exec
-- Index: app_logos_pkey.
INSERT INTO app_logos (app_id, version, jpeg, created_at) VALUES (@app_id, @version, @jpeg, @created_at)
ON CONFLICT (app_id) DO UPDATE SET version = excluded.version, jpeg = excluded.jpeg, created_at = excluded.created_at;

-- name: DropAppLogo :exec
-- Index: app_logos_pkey.
DELETE FROM app_logos WHERE app_id = @app_id;

-- name: GetAppLogo :one
-- Indexes: app_logos_pkey, apps_pkey. The version must be the app's current one, so that the URL of a replaced
-- logo no longer works.
SELECT l.jpeg FROM app_logos l
JOIN apps a ON a.id = l.app_id AND a.deleted_at IS NULL AND a.logo_version = l.version
WHERE l.app_id = @app_id AND l.version = @version;

-- name: ListApps :many
-- Indexes: apps_account, connections_app. The connections are counted with an index-only scan.
SELECT sqlc.embed(apps), (
  SELECT count(*) FROM connections c WHERE c.app_id = apps.id AND c.ended_at IS NULL AND apps.deleted_at IS NULL
) AS connections
FROM apps
WHERE apps.account_id = @account_id AND (apps.deleted_at IS NULL OR @deleted_too::boolean)
ORDER BY apps.created_at DESC, apps.id DESC;

-- name: LockAppsOfAccount :many
-- Index: apps_account. Like LockAppToChange, for all of an account's apps that have not been deleted.
SELECT id FROM apps WHERE account_id = @account_id AND deleted_at IS NULL ORDER BY id FOR UPDATE;

-- name: DeleteApps :exec
-- Index: apps_pkey. The client ids are never reused. If one of the apps is the console's app, a new app is later
-- created for the console.
UPDATE apps SET deleted_at = @at::timestamptz, updated_at = @at::timestamptz, is_console = false
WHERE id = ANY (@ids::text[]);

-- name: DeleteKeysOfApps :exec
-- Index: api_keys_app.
UPDATE api_keys SET deleted_at = @at::timestamptz WHERE app_id = ANY (@apps::text[]) AND deleted_at IS NULL;

-- name: DeleteSecretsOfApps :exec
-- Index: client_secrets_app.
DELETE FROM client_secrets WHERE app_id = ANY (@apps::text[]);

-- name: DeleteLogosOfApps :exec
-- Index: app_logos_pkey.
DELETE FROM app_logos WHERE app_id = ANY (@apps::text[]);

-- name: LockAppConnections :many
-- Indexes: apps_deleted, connections_app. Locks a batch of live connections with deleted apps. It skips
-- connections that another transaction has locked; the next run of the job ends these.
SELECT c.id FROM apps a JOIN connections c ON c.app_id = a.id AND c.ended_at IS NULL
WHERE a.deleted_at IS NOT NULL
LIMIT @at_most
FOR NO KEY UPDATE OF c SKIP LOCKED;

-- name: EndBelowConnections :exec
-- Indexes: authorization_codes_unused, token_families_connection, access_tokens_connection, cv_links_live. The
-- caller must have locked the connections, and must end the connections in a later statement: a trigger on
-- families and links also updates the connections' rows.
WITH codes AS (
  UPDATE authorization_codes SET revoked_at = @at::timestamptz
  WHERE connection_id = ANY (@ids::text[]) AND used_at IS NULL AND revoked_at IS NULL
), families AS (
  UPDATE token_families SET revoked_at = @at::timestamptz
  WHERE connection_id = ANY (@ids::text[]) AND revoked_at IS NULL
), tokens AS (
  UPDATE access_tokens SET revoked_at = @at::timestamptz
  WHERE connection_id = ANY (@ids::text[]) AND expires_at > @at::timestamptz AND revoked_at IS NULL
)
UPDATE cv_links SET ended_at = @at::timestamptz WHERE connection_id = ANY (@ids::text[]) AND ended_at IS NULL;

-- name: EndConnections :exec
-- Index: connections_pkey.
UPDATE connections SET ended_at = @at::timestamptz WHERE id = ANY (@ids::text[]);

-- name: EndPhotoAddress :exec
-- Index: connections_pkey. The caller must have locked the connection's row.
UPDATE connections SET photo_version = photo_version + 1 WHERE id = @id;
