-- +goose Up

-- The forms of the console that were sent and make something, so that none makes it twice
-- (behaviour: console#a-form-that-is-sent-again). A form is good in its session alone, so
-- nothing of it is needed when the session is gone.
CREATE TABLE console_forms (
  session bytea NOT NULL REFERENCES console_sessions (hash) ON DELETE CASCADE,
  form text NOT NULL,
  PRIMARY KEY (session, form)
);

-- +goose Down
DROP TABLE console_forms;
