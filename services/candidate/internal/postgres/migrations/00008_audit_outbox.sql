-- +goose Up

-- Events of the audit log that auth, which keeps the log, has not confirmed. An event is
-- written in the transaction of the change, or before the answer, and deleted after auth
-- has stored it. event is an audit.Event of pkg/audit as JSON.
CREATE TABLE audit_outbox (
  id text PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event jsonb NOT NULL
);
CREATE INDEX audit_outbox_at ON audit_outbox (at, id);

-- +goose Down
DROP TABLE audit_outbox;
