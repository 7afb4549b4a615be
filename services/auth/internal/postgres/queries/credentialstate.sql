-- name: RouteAccessToken :one
-- Indexes: access_tokens_pkey, apps_pkey.
SELECT a.account_id FROM access_tokens t JOIN apps a ON a.id = t.app_id WHERE t.hash = @hash AND t.legacy = @legacy;

-- name: RouteApiKey :one
-- Indexes: api_keys_hash, apps_pkey.
SELECT a.account_id FROM api_keys k JOIN apps a ON a.id = k.app_id WHERE k.hash = @hash;

-- name: RouteLink :one
-- Indexes: cv_links_hash, connections_pkey, apps_pkey.
SELECT a.account_id FROM cv_links l
JOIN connections c ON c.id = l.connection_id
JOIN apps a ON a.id = c.app_id
WHERE l.hash = @hash;

-- name: LiveAccessToken :one
-- Indexes: access_tokens_pkey, apps_pkey, accounts_pkey, connections_pkey, cv_links_live. If the connection's
-- row no longer exists, connected is false. If the connection has ended, there is no result; ending a connection
-- also revokes its tokens, so either condition would be enough. A token is live no longer than until the end
-- date that the person has set. Credentials of a deleted app are never live, whatever their rows say, because
-- the rows are ended later and in batches (EndBelowConnections).
SELECT sqlc.embed(accounts), t.app_id, t.scopes, least(t.expires_at, c.ends_at)::timestamptz AS expires_at,
  (c.id IS NOT NULL)::boolean AS connected,
  coalesce(c.id, '') AS connection_id, coalesce(c.person_id, '') AS person_id,
  coalesce(held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since), '{}')::text[] AS connection_scopes, coalesce(c.cv_id, '') AS cv_id,
  coalesce(c.share_photo, false) AS share_photo, coalesce(c.photo_version, 0)::integer AS photo_version, c.created_at AS connected_at, coalesce(l.id, '') AS link_id
FROM access_tokens t
JOIN apps a ON a.id = t.app_id AND a.deleted_at IS NULL
JOIN accounts ON accounts.id = a.account_id
LEFT JOIN connections c ON c.id = t.connection_id
LEFT JOIN cv_links l ON l.connection_id = c.id AND l.ended_at IS NULL
WHERE t.hash = @hash AND t.legacy = @legacy AND t.revoked_at IS NULL AND t.expires_at > @at AND c.ended_at IS NULL
  AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz);

-- name: ExpiredLegacyToken :one
-- Indexes: access_tokens_pkey, apps_pkey, token_families_pkey, connections_pkey. Returns true if a legacy token
-- has expired and nothing had revoked it before.
SELECT EXISTS (
  SELECT 1 FROM access_tokens t
  JOIN apps a ON a.id = t.app_id AND a.deleted_at IS NULL
  JOIN token_families f ON f.id = t.family_id AND f.revoked_at IS NULL
  JOIN connections c ON c.id = t.connection_id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
  WHERE t.hash = @hash AND t.legacy AND t.revoked_at IS NULL AND t.expires_at <= @at
);

-- name: LiveApiKey :one
-- Indexes: api_keys_hash, apps_pkey, accounts_pkey.
SELECT sqlc.embed(accounts), k.id, k.app_id, k.scopes, k.expires_at
FROM api_keys k
JOIN apps a ON a.id = k.app_id AND a.deleted_at IS NULL
JOIN accounts ON accounts.id = a.account_id
WHERE k.hash = @hash AND k.deleted_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > @at);

-- name: LiveClientSecret :one
-- Indexes: apps_client_id, accounts_pkey, client_secrets_hash. Called only for a client that has authenticated
-- with the secret, so the duration of the comparison reveals nothing. The console's app is excluded: it
-- introspects no tokens, and its secrets change without a revocation entry.
SELECT sqlc.embed(accounts), a.id AS app_id, s.expires_at
FROM apps a
JOIN accounts ON accounts.id = a.account_id
JOIN client_secrets s ON s.app_id = a.id AND s.hash = @hash AND (s.expires_at IS NULL OR s.expires_at > @at)
WHERE a.client_id = @client_id AND a.deleted_at IS NULL AND NOT a.is_console;

-- name: LiveLink :one
-- Indexes: cv_links_hash, connections_pkey, apps_pkey, accounts_pkey. Here and below, the condition on the
-- scopes is the same as in scope.Set.SharesCV.
SELECT sqlc.embed(accounts), c.app_id, c.id AS connection_id, c.person_id, held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since)::text[] AS connection_scopes,
  c.legacy, c.cv_id, c.share_photo, c.photo_version, c.created_at AS connected_at, c.ends_at, l.id AS link_id
FROM cv_links l
JOIN connections c ON c.id = l.connection_id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
JOIN apps a ON a.id = c.app_id AND a.deleted_at IS NULL
  AND held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since) && '{cv:read,profile:read}'
JOIN accounts ON accounts.id = a.account_id
WHERE l.hash = @hash AND l.ended_at IS NULL;

-- name: LiveConnection :one
-- Indexes: connections_live, apps_pkey, accounts_pkey, cv_links_live.
SELECT sqlc.embed(accounts), c.app_id, c.id AS connection_id, c.person_id, held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since)::text[] AS connection_scopes,
  c.legacy, c.cv_id, c.share_photo, c.photo_version, c.created_at AS connected_at, c.ends_at, coalesce(l.id, '') AS link_id
FROM connections c
JOIN apps a ON a.id = c.app_id AND a.deleted_at IS NULL
JOIN accounts ON accounts.id = a.account_id
LEFT JOIN cv_links l ON l.connection_id = c.id AND l.ended_at IS NULL
WHERE c.id = @id AND c.person_id = @person_id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz);

-- name: LivePhotoAddress :one
-- Indexes: connections_pkey, apps_pkey, accounts_pkey. The photo is shared together with the profile or the CV.
SELECT c.person_id, c.app_id, a.account_id FROM connections c
JOIN apps a ON a.id = c.app_id AND a.deleted_at IS NULL
  AND held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since) && '{profile,cv:read,profile:read}'
JOIN accounts o ON o.id = a.account_id
WHERE c.id = @connection_id AND c.photo_version = @version AND c.share_photo AND c.ended_at IS NULL
  AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz) AND o.suspended_at IS NULL;

-- name: MakeTokenLink :exec
-- Indexes: access_tokens_pkey, connections_pkey, apps_pkey. The caller must have locked the connection's row, so
-- that the token stays live and the consent in force until the commit.
INSERT INTO cv_links (id, hash, connection_id, created_at)
SELECT @id::text, @hash::bytea, c.id, @at::timestamptz
FROM access_tokens t
JOIN connections c ON c.id = t.connection_id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
JOIN apps a ON a.id = c.app_id AND a.deleted_at IS NULL
  AND held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since) && '{cv:read,profile:read}'
WHERE t.hash = @token::bytea AND t.revoked_at IS NULL AND t.expires_at > @at::timestamptz
ON CONFLICT (connection_id) WHERE ended_at IS NULL DO NOTHING;

-- name: TokenLink :one
-- Indexes: access_tokens_pkey, connections_pkey, apps_pkey, cv_links_live.
SELECT l.id FROM access_tokens t
JOIN connections c ON c.id = t.connection_id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
JOIN apps a ON a.id = c.app_id AND a.deleted_at IS NULL
  AND held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since) && '{cv:read,profile:read}'
JOIN cv_links l ON l.connection_id = c.id AND l.ended_at IS NULL
WHERE t.hash = @token::bytea AND t.revoked_at IS NULL AND t.expires_at > @at::timestamptz;
