-- +goose Up
-- The id of the link, so that a later request sends the same link again. Without the keys of auth it
-- opens nothing. Empty for links from before.
ALTER TABLE password_resets ADD COLUMN link text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE password_resets DROP COLUMN link;
