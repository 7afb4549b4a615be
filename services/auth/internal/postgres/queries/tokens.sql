-- name: IntrospectAccessToken :one
-- Indexes: apps_client_id, accounts_pkey, client_secrets_app, access_tokens_pkey, connections_pkey. Reads the
-- client like GetClient. If the presented token is a live token of that client, it is read too.
SELECT sqlc.embed(apps), o.suspended_at AS account_suspended_at,
  secrets.hashes::bytea[] AS secret_hashes, secrets.to_note::text[] AS secrets_to_note,
  (c.id IS NOT NULL)::boolean AS live, coalesce(t.scopes, '{}')::text[] AS token_scopes,
  coalesce(c.scopes, '{}')::text[] AS connection_scopes, coalesce(c.scopes_version, 0)::integer AS scopes_version,
  coalesce(c.person_id, '') AS person_id, coalesce(c.id, '') AS connection_id,
  coalesce(least(t.expires_at, c.ends_at), 'epoch')::timestamptz AS token_expires_at
FROM apps
JOIN accounts o ON o.id = apps.account_id
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(s.hash), '{}') AS hashes,
    coalesce(array_agg(
      CASE WHEN s.last_used_at > sqlc.arg(at)::timestamptz - interval '59 minutes' THEN '' ELSE s.id END
    ), '{}') AS to_note
  FROM client_secrets s
  WHERE s.app_id = apps.id AND (s.expires_at IS NULL OR s.expires_at > @at::timestamptz)
) secrets
LEFT JOIN access_tokens t ON t.hash = @hash AND t.app_id = apps.id AND NOT t.legacy
  AND t.revoked_at IS NULL AND t.expires_at > @at::timestamptz
LEFT JOIN connections c ON c.id = t.connection_id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
WHERE apps.client_id = @client_id AND apps.deleted_at IS NULL;

-- name: IntrospectRefreshToken :one
-- Indexes: apps_client_id, accounts_pkey, client_secrets_app, token_families_refresh_hash,
-- connections_pkey.
SELECT sqlc.embed(apps), o.suspended_at AS account_suspended_at,
  secrets.hashes::bytea[] AS secret_hashes, secrets.to_note::text[] AS secrets_to_note,
  (c.id IS NOT NULL)::boolean AS live, coalesce(f.scopes, '{}')::text[] AS token_scopes,
  coalesce(c.scopes, '{}')::text[] AS connection_scopes, coalesce(c.scopes_version, 0)::integer AS scopes_version,
  coalesce(c.person_id, '') AS person_id, coalesce(c.id, '') AS connection_id,
  coalesce(least(f.expires_at, c.ends_at), 'epoch')::timestamptz AS token_expires_at
FROM apps
JOIN accounts o ON o.id = apps.account_id
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(s.hash), '{}') AS hashes,
    coalesce(array_agg(
      CASE WHEN s.last_used_at > sqlc.arg(at)::timestamptz - interval '59 minutes' THEN '' ELSE s.id END
    ), '{}') AS to_note
  FROM client_secrets s
  WHERE s.app_id = apps.id AND (s.expires_at IS NULL OR s.expires_at > @at::timestamptz)
) secrets
LEFT JOIN token_families f ON f.refresh_hash = @hash AND f.app_id = apps.id
  AND f.revoked_at IS NULL AND f.expires_at > @at::timestamptz
LEFT JOIN connections c ON c.id = f.connection_id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
WHERE apps.client_id = @client_id AND apps.deleted_at IS NULL;

-- name: RevokeAccessToken :one
-- Indexes: access_tokens_pkey, apps_pkey, connections_pkey. Returns no row for another client's token or for an
-- expired one, because there is nothing to revoke. The column legacy_ended is true if the statement has revoked
-- a legacy token that was live until then.
UPDATE access_tokens t SET revoked_at = coalesce(t.revoked_at, @at::timestamptz)
FROM apps a, access_tokens before
WHERE t.hash = @hash AND t.app_id = @app_id AND t.expires_at > @at::timestamptz
  AND a.id = t.app_id AND before.hash = t.hash
RETURNING a.account_id, t.connection_id,
  coalesce((SELECT c.person_id FROM connections c WHERE c.id = t.connection_id), '')::text AS person_id,
  (t.legacy AND before.revoked_at IS NULL)::boolean AS legacy_ended;

-- name: RevokeLegacyToken :one
-- Indexes: access_tokens_pkey, apps_pkey, connections_pkey. If two revocations are concurrent, only one gets the
-- row.
UPDATE access_tokens t SET revoked_at = @at::timestamptz
FROM apps a
WHERE t.hash = @hash AND t.legacy AND t.revoked_at IS NULL AND t.expires_at > @at::timestamptz
  AND a.id = t.app_id
RETURNING a.account_id, t.app_id, t.connection_id,
  coalesce((SELECT c.person_id FROM connections c WHERE c.id = t.connection_id), '')::text AS person_id;

-- name: LockLegacyConsent :exec
-- Indexes: access_tokens_pkey, connections_pkey. Locks the connection to which a legacy token belongs. Must be
-- called before the token is revoked: if two tokens are revoked concurrently, the second revocation then sees
-- that the first token is no longer live.
SELECT 1 FROM connections
WHERE id = (SELECT t.connection_id FROM access_tokens t WHERE t.hash = @hash AND t.legacy)
FOR NO KEY UPDATE;
