-- +goose Up

-- The older profile-sharing interface (decisions 43 and 44). A consent of it is a
-- connection beside the one that the app may have otherwise. A replica from before
-- this migration cannot record a consent while it still runs, for want of the index
-- that its upsert names; everything else it does goes on.
ALTER TABLE connections ADD COLUMN legacy boolean NOT NULL DEFAULT false;
DROP INDEX connections_live;
CREATE UNIQUE INDEX connections_live ON connections (person_id, app_id, legacy) WHERE ended_at IS NULL;

-- A grant of the older interface has no refresh token. Its family is what a replay
-- of its code ends, and expires a month and more after its access token does.
ALTER TABLE token_families ALTER COLUMN refresh_hash DROP NOT NULL;

-- An access token of the older interface is kept as long as its family, so that it
-- can be told that it has expired; the others go soon.
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
