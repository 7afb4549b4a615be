-- name: IssueCode :execrows
-- Index: sessions_pkey. A code for the console's app refers to the browser session, because the console session
-- ends when that session ends. Inserts no row if the browser session has already ended.
INSERT INTO authorization_codes (hash, app_id, connection_id, redirect_uri, code_challenge, scopes,
  created_at, expires_at, session_id)
SELECT @hash, @app_id, @connection_id, @redirect_uri, @code_challenge, @scopes, @created_at, @expires_at, b.id
FROM (SELECT '' AS id WHERE NOT @of_console::boolean
  UNION ALL SELECT s.id FROM sessions s WHERE @of_console AND s.hash = @session_hash AND s.expires_at > @created_at) b;

-- name: RedeemCode :one
-- Indexes: apps_client_id, accounts_pkey, client_secrets_app, authorization_codes_pkey, connections_pkey. A
-- single statement authenticates the client, consumes the code, issues the tokens and writes the event. A second
-- exchange waits for the lock on the code's row, then finds used_at or revoked_at set, and returns no row. After
-- the caller's deadline, the statement fails, because it calls in_time once it holds the lock.
--
-- Both sides of the comparison are hashed with a nonce that is used only once, so the duration of the comparison
-- reveals nothing about the hash of a secret.
--
-- The column to_note is the secret's id if its use has not been recorded in the last 59 minutes, and empty
-- otherwise. The caller records the use afterwards: if the statement did it, Postgres would have to prepare that
-- part on every run, although it is rarely needed. For the same reason, the joins are in the UPDATE itself.
WITH used AS (
  UPDATE authorization_codes k
  SET used_at = @at::timestamptz, family_id = @family_id::text
  FROM connections c, apps a
  JOIN accounts o ON o.id = a.account_id
  LEFT JOIN client_secrets s ON s.app_id = a.id
    AND (s.expires_at IS NULL OR s.expires_at > @at::timestamptz)
    AND sha256(s.hash || @secret_nonce::bytea) = sqlc.narg(secret_proof)::bytea
  WHERE a.client_id = @client_id AND a.deleted_at IS NULL AND o.suspended_at IS NULL
    AND CASE a.client_type WHEN 'public' THEN sqlc.narg(secret_proof)::bytea IS NULL ELSE s.id IS NOT NULL END
    AND k.hash = @code_hash AND k.app_id = a.id
    AND k.used_at IS NULL AND k.revoked_at IS NULL AND k.expires_at > @at::timestamptz
    AND k.redirect_uri = @redirect_uri AND k.code_challenge = @code_challenge
    AND still_registered(a.redirect_uris, k.redirect_uri)
    AND c.id = k.connection_id AND NOT c.legacy AND c.ended_at IS NULL
    AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
    AND held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since) && k.scopes
  RETURNING k.app_id, k.connection_id, a.account_id, c.person_id, k.scopes AS granted,
    common_scopes(k.scopes,
      held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since)) AS effective,
    CASE WHEN s.last_used_at > sqlc.arg(at)::timestamptz - interval '59 minutes' THEN '' ELSE coalesce(s.id, '') END AS to_note,
    in_time(@until::timestamptz) AS timely
), family AS (
  INSERT INTO token_families (id, app_id, connection_id, scopes, refresh_hash, created_at, expires_at)
  SELECT @family_id::text, u.app_id, u.connection_id, u.granted, @refresh_hash::bytea,
    @at::timestamptz, @refresh_expires_at::timestamptz
  FROM used u
), issued AS (
  INSERT INTO access_tokens (hash, family_id, app_id, connection_id, scopes, created_at, expires_at)
  SELECT @access_hash::bytea, @family_id::text, u.app_id, u.connection_id, u.effective,
    @at::timestamptz, @access_expires_at::timestamptz
  FROM used u
), event AS (
  INSERT INTO audit_events (id, at, action, outcome, error_code, actor_kind, actor_id, caller,
    account_id, app_id, person_id, object_type, object_id, client_address, request_id, details)
  SELECT @event_id, clock_timestamp(), @event_action, 'succeeded', '', 'app', x.app_id, @caller,
    x.account_id, x.app_id, x.person_id, 'connection', x.connection_id, @client_address, @request_id,
    jsonb_build_object('scopes', array_to_string(x.effective, ' '))
  FROM used x
)
SELECT u.effective::text[] AS scopes, u.account_id, u.app_id, u.person_id, u.connection_id, u.to_note::text AS to_note
FROM used u;

-- name: RedeemLegacyCode :one
-- Indexes: authorization_codes_pkey, connections_pkey, client_secrets_app, apps_pkey, accounts_pkey. Like
-- RedeemCode, but for the legacy interface: without PKCE, redirect_uri and refresh token. It also fails after
-- the deadline.
WITH used AS (
  UPDATE authorization_codes k
  SET used_at = @at::timestamptz, family_id = @family_id::text
  FROM connections c, apps a
  JOIN accounts o ON o.id = a.account_id
  JOIN client_secrets s ON s.app_id = a.id
    AND (s.expires_at IS NULL OR s.expires_at > @at::timestamptz)
    AND sha256(s.hash || @secret_nonce::bytea) = sqlc.narg(secret_proof)::bytea
  WHERE a.client_id = @client_id AND a.deleted_at IS NULL AND o.suspended_at IS NULL
    AND a.legacy AND a.client_type = 'confidential'
    AND k.hash = @code_hash AND k.app_id = a.id
    AND k.used_at IS NULL AND k.revoked_at IS NULL AND k.expires_at > @at::timestamptz
    AND still_registered(a.redirect_uris, k.redirect_uri)
    AND c.id = k.connection_id AND c.legacy AND c.ended_at IS NULL
    AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz) AND k.scopes && c.scopes
  RETURNING k.app_id, k.connection_id, a.account_id, c.person_id, k.scopes,
    CASE WHEN s.last_used_at > sqlc.arg(at)::timestamptz - interval '59 minutes' THEN '' ELSE coalesce(s.id, '') END AS to_note,
    in_time(@until::timestamptz) AS timely
), family AS (
  INSERT INTO token_families (id, app_id, connection_id, scopes, created_at, expires_at)
  SELECT @family_id::text, u.app_id, u.connection_id, u.scopes,
    @at::timestamptz, @family_expires_at::timestamptz
  FROM used u
), issued AS (
  INSERT INTO access_tokens (hash, family_id, app_id, connection_id, legacy, scopes, created_at, expires_at)
  SELECT @access_hash::bytea, @family_id::text, u.app_id, u.connection_id, true, u.scopes,
    @at::timestamptz, @access_expires_at::timestamptz
  FROM used u
), event AS (
  INSERT INTO audit_events (id, at, action, outcome, error_code, actor_kind, actor_id, caller,
    account_id, app_id, person_id, object_type, object_id, client_address, request_id, details)
  SELECT @event_id, clock_timestamp(), @event_action, 'succeeded', '', 'app', x.app_id, @caller,
    x.account_id, x.app_id, x.person_id, 'connection', x.connection_id, @client_address, @request_id,
    jsonb_build_object('scopes', array_to_string(x.scopes, ' '))
  FROM used x
)
SELECT u.scopes::text[] AS scopes, u.account_id, u.app_id, u.person_id, u.connection_id, u.to_note::text AS to_note
FROM used u;

-- name: GetCode :one
-- Index: authorization_codes_pkey.
SELECT sqlc.embed(authorization_codes) FROM authorization_codes WHERE hash = @hash;

-- name: RotateRefreshToken :one
-- Indexes: apps_client_id, accounts_pkey, client_secrets_app, token_families_refresh_hash, connections_pkey. A
-- single statement authenticates the client, rotates the refresh token, issues the access token and writes the
-- event. Rotations, reuses and revocations all lock the family's row. The second one waits, then finds that
-- refresh_hash or revoked_at has changed, and returns no row. Like RedeemCode, the statement fails after the
-- caller's deadline and returns to_note.
WITH rotated AS (
  UPDATE token_families f
  SET refresh_hash = @new_refresh_hash::bytea, expires_at = @refresh_expires_at::timestamptz
  FROM connections c, apps a
  JOIN accounts o ON o.id = a.account_id
  LEFT JOIN client_secrets s ON s.app_id = a.id
    AND (s.expires_at IS NULL OR s.expires_at > @at::timestamptz)
    AND sha256(s.hash || @secret_nonce::bytea) = sqlc.narg(secret_proof)::bytea
  WHERE a.client_id = @client_id AND a.deleted_at IS NULL AND o.suspended_at IS NULL
    AND CASE a.client_type WHEN 'public' THEN sqlc.narg(secret_proof)::bytea IS NULL ELSE s.id IS NOT NULL END
    AND f.refresh_hash = @refresh_hash AND f.app_id = a.id
    AND f.revoked_at IS NULL AND f.expires_at > @at::timestamptz
    AND c.id = f.connection_id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > @at::timestamptz)
    AND coalesce(sqlc.narg(requested)::text[], f.scopes) <@ f.scopes
    AND coalesce(sqlc.narg(requested)::text[], f.scopes)
      && held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since)
  RETURNING f.id, f.app_id, f.connection_id, a.account_id, c.person_id,
    common_scopes(coalesce(sqlc.narg(requested)::text[], f.scopes),
      held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since)) AS effective,
    CASE WHEN s.last_used_at > sqlc.arg(at)::timestamptz - interval '59 minutes' THEN '' ELSE coalesce(s.id, '') END AS to_note,
    in_time(@until::timestamptz) AS timely
), tombstone AS (
  INSERT INTO rotated_refresh_tokens (hash, family_id, rotated_at)
  SELECT @refresh_hash, r.id, @at::timestamptz FROM rotated r
), issued AS (
  INSERT INTO access_tokens (hash, family_id, app_id, connection_id, scopes, created_at, expires_at)
  SELECT @access_hash::bytea, r.id, r.app_id, r.connection_id, r.effective,
    @at::timestamptz, @access_expires_at::timestamptz
  FROM rotated r
), event AS (
  INSERT INTO audit_events (id, at, action, outcome, error_code, actor_kind, actor_id, caller,
    account_id, app_id, person_id, object_type, object_id, client_address, request_id, details)
  SELECT @event_id, clock_timestamp(), @event_action, 'succeeded', '', 'app', x.app_id, @caller,
    x.account_id, x.app_id, x.person_id, 'connection', x.connection_id, @client_address, @request_id,
    jsonb_build_object('scopes', array_to_string(x.effective, ' '))
  FROM rotated x
)
SELECT r.effective::text[] AS scopes, r.account_id, r.app_id, r.person_id, r.connection_id, r.to_note::text AS to_note
FROM rotated r;

-- name: FindFamily :one
-- Indexes: token_families_refresh_hash; rotated_refresh_tokens_pkey, token_families_pkey; connections_pkey,
-- apps_pkey. Finds a family by its live refresh token or by one that has been rotated.
SELECT f.id, f.app_id, f.connection_id, f.scopes, f.expires_at, f.revoked_at,
  p.rotated::boolean AS rotated, a.account_id, coalesce(c.person_id, '') AS person_id,
  (c.id IS NOT NULL AND c.ended_at IS NULL)::boolean AS connected,
  coalesce(held_scopes(c.scopes, c.scopes_version, a.scopes, a.scopes_since), '{}')::text[] AS connection_scopes
FROM (
  SELECT x.id, false AS rotated FROM token_families x WHERE x.refresh_hash = @refresh_hash
  UNION ALL
  SELECT y.family_id, true FROM rotated_refresh_tokens y WHERE y.hash = @refresh_hash
) p
JOIN token_families f ON f.id = p.id
JOIN apps a ON a.id = f.app_id
LEFT JOIN connections c ON c.id = f.connection_id;

-- name: FamilyOwner :one
-- Indexes: token_families_pkey, apps_pkey, connections_pkey.
SELECT f.connection_id, f.app_id, a.account_id, coalesce(c.person_id, '') AS person_id
FROM token_families f
JOIN apps a ON a.id = f.app_id
LEFT JOIN connections c ON c.id = f.connection_id
WHERE f.id = @id;

-- name: RevokeFamily :execrows
-- Index: token_families_pkey. Waits for a rotation in progress.
UPDATE token_families SET revoked_at = @at::timestamptz WHERE id = @id AND revoked_at IS NULL;

-- name: RevokeFamilyAccessTokens :exec
-- Index: access_tokens_family.
UPDATE access_tokens SET revoked_at = @at::timestamptz
WHERE family_id = @family_id AND expires_at > @at::timestamptz AND revoked_at IS NULL;

-- name: RevokeConnectionCodes :exec
-- Index: authorization_codes_unused. Waits for an exchange in progress.
UPDATE authorization_codes SET revoked_at = @at::timestamptz
WHERE connection_id = @connection_id AND used_at IS NULL AND revoked_at IS NULL;

-- name: RevokeConnectionFamilies :exec
-- Index: token_families_connection. Waits for rotations in progress.
UPDATE token_families SET revoked_at = @at::timestamptz
WHERE connection_id = @connection_id AND revoked_at IS NULL;

-- name: RevokeConnectionAccessTokens :exec
-- Index: access_tokens_connection.
UPDATE access_tokens SET revoked_at = @at::timestamptz
WHERE connection_id = @connection_id AND expires_at > @at::timestamptz AND revoked_at IS NULL;
