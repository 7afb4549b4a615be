-- name: GetClient :one
-- Indexes: apps_client_id, accounts_pkey, client_secrets_app. Reads a client with its live secrets. For each
-- secret, secrets_to_note contains the secret's id if its use has not been recorded in the last 59 minutes, and
-- an empty string otherwise.
SELECT sqlc.embed(apps), o.suspended_at AS account_suspended_at, o.name AS account_name, o.verified_at AS account_verified_at,
  secrets.hashes::bytea[] AS secret_hashes, secrets.to_note::text[] AS secrets_to_note
FROM apps JOIN accounts o ON o.id = apps.account_id
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(s.hash), '{}') AS hashes,
    coalesce(array_agg(CASE WHEN s.last_used_at > sqlc.arg(at)::timestamptz - interval '59 minutes' THEN '' ELSE s.id END), '{}') AS to_note
  FROM client_secrets s WHERE s.app_id = apps.id AND (s.expires_at IS NULL OR s.expires_at > @at::timestamptz)
) secrets
WHERE apps.client_id = @client_id AND apps.deleted_at IS NULL;

-- name: NoteSecretUse :exec
-- Index: client_secrets_pkey. Records the use of a secret at most once in 59 minutes. The recorded time may be
-- up to an hour old, because the gateway also authenticates the client for a few seconds without calling this
-- service. If another transaction has locked the row, the statement does nothing, because that transaction
-- records the use.
UPDATE client_secrets SET last_used_at = @at::timestamptz WHERE id = (
  SELECT s.id FROM client_secrets s
  WHERE s.id = @id AND (s.last_used_at IS NULL OR s.last_used_at <= sqlc.arg(at)::timestamptz - interval '59 minutes')
  FOR NO KEY UPDATE SKIP LOCKED);

-- name: LockApp :one
-- Index: apps_pkey. Every transaction that changes the app's secrets takes this lock.
SELECT sqlc.embed(apps) FROM apps WHERE id = @id AND deleted_at IS NULL FOR NO KEY UPDATE;

-- name: AppOfSecret :one
-- Index: client_secrets_pkey.
SELECT app_id FROM client_secrets WHERE id = @id;

-- name: ListClientSecrets :many
-- Index: client_secrets_app. Lists the live secrets, newest first.
SELECT sqlc.embed(client_secrets) FROM client_secrets
WHERE app_id = @app_id AND (expires_at IS NULL OR expires_at > @at::timestamptz)
ORDER BY created_at DESC, id DESC;

-- name: KeepClientSecrets :exec
-- Index: client_secrets_app. Deletes all of the app's secrets except the given ones.
DELETE FROM client_secrets WHERE app_id = @app_id AND NOT id = ANY (@ids::text[]);

-- name: SetClientSecretEnd :exec
-- Index: client_secrets_pkey.
UPDATE client_secrets SET expires_at = sqlc.narg(expires_at) WHERE id = @id;

-- name: AddClientSecret :exec
-- Index: client_secrets_app. The caller must hold the lock taken by LockApp. The creation time determines which
-- secret is the newest. Replicas' clocks differ, so the statement makes that time later than the creation times
-- of all other secrets.
INSERT INTO client_secrets (id, app_id, hash, created_at, created_by)
VALUES (@id, @app_id, @hash, greatest(sqlc.arg(at)::timestamptz,
  (SELECT max(s.created_at) FROM client_secrets s WHERE s.app_id = @app_id) + interval '1 microsecond'), @created_by);

-- name: CountEndingSecrets :one
-- Index: client_secrets_expiry.
SELECT count(*) FROM client_secrets WHERE expires_at > @after AND expires_at <= @until;

-- name: CountEndingApiKeys :one
-- Index: api_keys_expiry.
SELECT count(*) FROM api_keys WHERE expires_at > @after AND expires_at <= @until AND deleted_at IS NULL;
