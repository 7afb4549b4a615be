-- Every statement deletes one batch, found by the index it names.

-- name: DeleteExpiredSessions :execrows
-- Index: sessions_expiry.
DELETE FROM sessions WHERE hash IN (
  SELECT s.hash FROM sessions s WHERE s.expires_at < @before ORDER BY s.expires_at LIMIT @at_most);

-- name: DeleteExpiredCodes :execrows
-- Index: authorization_codes_expiry. Used codes go with their family.
DELETE FROM authorization_codes WHERE hash IN (
  SELECT k.hash FROM authorization_codes k
  WHERE k.used_at IS NULL AND k.expires_at < @before ORDER BY k.expires_at LIMIT @at_most);

-- name: DeleteExpiredAccessTokens :execrows
-- Index: access_tokens_expiry.
DELETE FROM access_tokens WHERE hash IN (
  SELECT t.hash FROM access_tokens t WHERE t.expires_at < @before ORDER BY t.expires_at LIMIT @at_most);

-- name: DeleteExpiredFamilies :execrows
-- Index: token_families_expiry. Takes rotated tokens, access tokens and the code along.
DELETE FROM token_families WHERE id IN (
  SELECT f.id FROM token_families f WHERE f.expires_at < @before ORDER BY f.expires_at LIMIT @at_most);

-- name: DeleteRevokedFamilies :execrows
-- Index: token_families_revoked.
DELETE FROM token_families WHERE id IN (
  SELECT f.id FROM token_families f WHERE f.revoked_at < @before ORDER BY f.revoked_at LIMIT @at_most);

-- name: DeleteEndedLinks :execrows
-- Index: cv_links_ended.
DELETE FROM cv_links WHERE id IN (
  SELECT l.id FROM cv_links l WHERE l.ended_at < @before ORDER BY l.ended_at LIMIT @at_most);
