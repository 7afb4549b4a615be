-- +goose Up

-- The legacy profile-sharing interface. Its consent is a connection beside the one
-- that the app may have otherwise (behaviour: legacy#a-connection-of-its-own). A
-- replica that still runs the code from before this migration cannot record consents,
-- because the index that its upsert names is gone; everything else works.
ALTER TABLE connections ADD COLUMN legacy boolean NOT NULL DEFAULT false;
DROP INDEX connections_live;
CREATE UNIQUE INDEX connections_live ON connections (person_id, app_id, legacy) WHERE ended_at IS NULL;

-- A grant of the legacy interface has no refresh token. A replay of its code ends its
-- family, which expires at least a month after its access token.
ALTER TABLE token_families ALTER COLUMN refresh_hash DROP NOT NULL;

-- An access token of the legacy interface stays as long as its family, so that the
-- service can tell that it has expired. Other expired tokens are deleted soon.
ALTER TABLE access_tokens ADD COLUMN legacy boolean NOT NULL DEFAULT false;
DROP INDEX access_tokens_expiry;
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at) WHERE NOT legacy;

-- +goose Down
DELETE FROM token_families WHERE refresh_hash IS NULL;
DELETE FROM authorization_codes WHERE connection_id IN (SELECT id FROM connections WHERE legacy);
DELETE FROM cv_links WHERE connection_id IN (SELECT id FROM connections WHERE legacy);
DELETE FROM connections WHERE legacy;
DROP INDEX access_tokens_expiry;
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);
ALTER TABLE access_tokens DROP COLUMN legacy;
ALTER TABLE token_families ALTER COLUMN refresh_hash SET NOT NULL;
DROP INDEX connections_live;
CREATE UNIQUE INDEX connections_live ON connections (person_id, app_id) WHERE ended_at IS NULL;
ALTER TABLE connections DROP COLUMN legacy;
