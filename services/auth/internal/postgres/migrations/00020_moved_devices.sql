-- +goose Up

-- A browser that gets a new token keeps the other people who signed in there as candidates:
-- each of them knows the new token only after a sign-in with it. Until then moved_from is
-- the token by which the person knows the browser, and the row counts for nothing. Replicas
-- that run the code from before this migration move the row itself, as they did.
ALTER TABLE devices ADD COLUMN moved_from bytea;

-- +goose Down
DELETE FROM devices WHERE moved_from IS NOT NULL;
ALTER TABLE devices DROP COLUMN moved_from;
