-- Every statement deletes one batch of rows, which it finds with the first of the indexes named in its comment.
-- The statements compare with ANY of an array, because Postgres plans IN with a limited subquery as a join with
-- the whole table.

-- name: DeleteExpiredSessions :execrows
-- Indexes: sessions_expiry, sessions_pkey.
DELETE FROM sessions WHERE hash = ANY (ARRAY(
  SELECT s.hash FROM sessions s WHERE s.expires_at < @before ORDER BY s.expires_at LIMIT @at_most));

-- name: DeleteExpiredCodes :execrows
-- Indexes: authorization_codes_expiry, authorization_codes_pkey. Used codes are deleted together with their
-- family.
DELETE FROM authorization_codes WHERE hash = ANY (ARRAY(
  SELECT k.hash FROM authorization_codes k
  WHERE k.used_at IS NULL AND k.expires_at < @before ORDER BY k.expires_at LIMIT @at_most));

-- name: DeleteExpiredAccessTokens :execrows
-- Indexes: access_tokens_expiry, access_tokens_pkey. Legacy tokens are deleted together with their family.
DELETE FROM access_tokens WHERE hash = ANY (ARRAY(
  SELECT t.hash FROM access_tokens t WHERE NOT t.legacy AND t.expires_at < @before ORDER BY t.expires_at LIMIT @at_most));

-- name: DeleteExpiredFamilies :execrows
-- Indexes: token_families_expiry, token_families_pkey. Deleting a family also deletes its rotated tokens, its
-- access tokens and its code (ON DELETE CASCADE).
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

-- name: DeleteExpiredDevices :execrows
-- Index: devices_expiry. Finds the rows by their ctid, which cannot change while they are locked. It skips rows
-- that are locked by a sign-in, and leaves them to the next run of the job. Otherwise, the two transactions
-- could deadlock, because a sign-in also deletes several of a person's rows.
DELETE FROM devices WHERE ctid = ANY (ARRAY(
  SELECT d.ctid FROM devices d WHERE d.expires_at < @before ORDER BY d.expires_at LIMIT @at_most FOR UPDATE SKIP LOCKED));

-- name: DeleteIdleCeilings :execrows
-- Indexes: sign_in_ceilings_idle, sign_in_ceilings_pkey. A row that has been used in the meantime is not
-- deleted.
DELETE FROM sign_in_ceilings WHERE account = ANY (ARRAY(
  SELECT c.account FROM sign_in_ceilings c WHERE greatest(c.open_until, c.turns_until) < @before
  ORDER BY greatest(c.open_until, c.turns_until) LIMIT @at_most)) AND greatest(open_until, turns_until) < @before;

-- name: DeletePastTurns :execrows
-- Indexes: sign_in_turns_due, sign_in_turns_pkey. Turns of the same account that are not yet past are not
-- deleted.
DELETE FROM sign_in_turns WHERE account = ANY (ARRAY(
  SELECT t.account FROM sign_in_turns t WHERE t.due_at < @before ORDER BY t.due_at LIMIT @at_most)) AND due_at < @before;

-- name: DeleteExpiredConsoleSessions :execrows
-- Indexes: console_sessions_expiry, console_sessions_pkey.
DELETE FROM console_sessions WHERE hash = ANY (ARRAY(
  SELECT s.hash FROM console_sessions s WHERE s.expires_at < @before ORDER BY s.expires_at LIMIT @at_most));

-- name: DeleteExpiredInvitations :execrows
-- Indexes: invitations_expiry, invitations_pkey.
DELETE FROM invitations WHERE id = ANY (ARRAY(
  SELECT i.id FROM invitations i WHERE i.expires_at < @before ORDER BY i.expires_at LIMIT @at_most)) AND expires_at < @before;

-- name: DeleteExpiredSignUps :execrows
-- Indexes: sign_ups_expiry, sign_ups_pkey. What someone typed without verifying their email address is deleted
-- as soon as the link has expired.
DELETE FROM sign_ups WHERE hash = ANY (ARRAY(
  SELECT s.hash FROM sign_ups s WHERE s.expires_at < @before ORDER BY s.expires_at LIMIT @at_most));

-- name: DeleteExpiredPasswordResets :execrows
-- Indexes: password_resets_expiry, password_resets_pkey.
DELETE FROM password_resets WHERE hash = ANY (ARRAY(
  SELECT r.hash FROM password_resets r WHERE r.expires_at < @before ORDER BY r.expires_at LIMIT @at_most));

-- name: DeleteFullMailBudgets :execrows
-- Indexes: mail_budgets_full, mail_budgets_pkey. A row that has been used in the meantime is not deleted.
DELETE FROM mail_budgets WHERE address = ANY (ARRAY(
  SELECT b.address FROM mail_budgets b WHERE b.full_at < @before ORDER BY b.full_at LIMIT @at_most)) AND full_at < @before;

-- name: DeleteExpiredCeremonies :execrows
-- Indexes: passkey_ceremonies_expiry, passkey_ceremonies_pkey.
DELETE FROM passkey_ceremonies WHERE hash = ANY (ARRAY(
  SELECT c.hash FROM passkey_ceremonies c WHERE c.expires_at < @before ORDER BY c.expires_at LIMIT @at_most));
