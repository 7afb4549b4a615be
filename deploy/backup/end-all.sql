BEGIN;
SELECT format('vitaectl member add --account %s --person %s --role %s', account_id, person_id, role)
FROM members ORDER BY account_id, role, person_id;

DELETE FROM console_sessions;
DELETE FROM sessions;
DELETE FROM devices;
DELETE FROM passkey_ceremonies;
DELETE FROM members;
DELETE FROM invitations;
DELETE FROM sign_ups;
DELETE FROM password_resets;

-- Deleting the families also deletes their tokens.
DELETE FROM authorization_codes;
DELETE FROM token_families;
UPDATE cv_links SET ended_at = now() WHERE ended_at IS NULL;
UPDATE connections SET ended_at = now() WHERE ended_at IS NULL;
UPDATE api_keys SET deleted_at = now() WHERE deleted_at IS NULL;

DELETE FROM client_secrets;
COMMIT;
