-- +goose Up

-- Events of the audit log that auth, which keeps the log, has not confirmed. An event is
-- written in the transaction of the change, or before the answer, and deleted after auth
-- has stored it. event is an audit.Event of pkg/audit as JSON.
CREATE TABLE audit_outbox (
  id text PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event jsonb NOT NULL,
  -- When auth refused it; it then waits for an operator, and no longer for the job.
  refused_at timestamptz
);
CREATE INDEX audit_outbox_at ON audit_outbox (at, id) WHERE refused_at IS NULL;

-- +goose Down
DROP TABLE audit_outbox;
