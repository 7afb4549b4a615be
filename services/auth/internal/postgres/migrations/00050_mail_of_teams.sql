-- +goose Up
-- What an email about a developer account tells of: the account, and the person who has made a
-- credential or joined; empty for other emails. Replicas of the release before leave them so, and send
-- none of these emails.
ALTER TABLE mail_outbox
  ADD COLUMN account_id text NOT NULL DEFAULT '',
  ADD COLUMN subject_id text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE mail_outbox DROP COLUMN account_id, DROP COLUMN subject_id;
