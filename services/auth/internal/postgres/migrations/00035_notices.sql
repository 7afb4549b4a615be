-- +goose Up

-- What a notice says: the browser by the names that its session has, and the app that it is
-- about; all empty for other mail. Replicas of the release before have no outbox of mail.
ALTER TABLE mail_outbox
  ADD COLUMN browser text NOT NULL DEFAULT '',
  ADD COLUMN system text NOT NULL DEFAULT '',
  ADD COLUMN app_id text NOT NULL DEFAULT '';

-- The language of the page on which the person has signed in, a BCP 47 tag; empty for sessions
-- from before. A notice is written in it unless the account has a language.
ALTER TABLE sessions ADD COLUMN locale text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE sessions DROP COLUMN locale;
ALTER TABLE mail_outbox DROP COLUMN browser, DROP COLUMN system, DROP COLUMN app_id;
