-- Every statement deletes one batch, which the first index that it names finds. The
-- statements compare with ANY of an array, because Postgres plans IN with a limited
-- query as a join with the whole table.

-- name: DeleteExpiredSessions :execrows
-- Indexes: sessions_expiry, sessions_pkey.
DELETE FROM sessions WHERE hash = ANY (ARRAY(
  SELECT s.hash FROM sessions s WHERE s.expires_at < @before ORDER BY s.expires_at LIMIT @at_most));

-- name: DeleteExpiredCodes :execrows
-- Indexes: authorization_codes_expiry, authorization_codes_pkey. Used codes are deleted with their family.
DELETE FROM authorization_codes WHERE hash = ANY (ARRAY(
  SELECT k.hash FROM authorization_codes k
  WHERE k.used_at IS NULL AND k.expires_at < @before ORDER BY k.expires_at LIMIT @at_most));

-- name: DeleteExpiredAccessTokens :execrows
-- Indexes: access_tokens_expiry, access_tokens_pkey. Tokens of the
-- legacy interface are deleted with their family.
DELETE FROM access_tokens WHERE hash = ANY (ARRAY(
  SELECT t.hash FROM access_tokens t WHERE NOT t.legacy AND t.expires_at < @before ORDER BY t.expires_at LIMIT @at_most));

-- name: DeleteExpiredFamilies :execrows
-- Indexes: token_families_expiry, token_families_pkey. Deletes the
-- rotated tokens, the access tokens and the code of a family with it (ON DELETE CASCADE).
DELETE FROM token_families WHERE id = ANY (ARRAY(
  SELECT f.id FROM token_families f WHERE f.expires_at < @before ORDER BY f.expires_at LIMIT @at_most));

-- name: DeleteRevokedFamilies :execrows
-- Indexes: token_families_revoked, token_families_pkey.
DELETE FROM token_families WHERE id = ANY (ARRAY(
  SELECT f.id FROM token_families f WHERE f.revoked_at < @before ORDER BY f.revoked_at LIMIT @at_most));

-- name: DeleteEndedLinks :execrows
-- Indexes: cv_links_ended, cv_links_pkey.
DELETE FROM cv_links WHERE id = ANY (ARRAY(
  SELECT l.id FROM cv_links l WHERE l.ended_at < @before ORDER BY l.ended_at LIMIT @at_most));
