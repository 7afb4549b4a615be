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

-- Their tokens and codes go with the families.
DELETE FROM authorization_codes;
DELETE FROM token_families;
UPDATE cv_links SET ended_at = now() WHERE ended_at IS NULL;
UPDATE connections SET ended_at = now() WHERE ended_at IS NULL;
UPDATE api_keys SET deleted_at = now() WHERE deleted_at IS NULL;

-- A confidential app has some hash, which replicas of an earlier release read: that of
-- nothing. The trigger would take it for a new secret.
DELETE FROM client_secrets;
ALTER TABLE apps DISABLE TRIGGER apps_client_secret;
UPDATE apps SET secret_hash = sha256(convert_to(gen_random_uuid()::text, 'UTF8')) WHERE secret_hash IS NOT NULL;
ALTER TABLE apps ENABLE TRIGGER apps_client_secret;
COMMIT;
