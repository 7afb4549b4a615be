-- +goose Up
-- Why a request was refused, in the words that the client received, and what else was wrong with it, a
-- line each. Replicas of the release before leave both as they are.
ALTER TABLE request_log
  ADD COLUMN error_message text NOT NULL DEFAULT '',
  ADD COLUMN other_faults text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE request_log DROP COLUMN error_message, DROP COLUMN other_faults;
