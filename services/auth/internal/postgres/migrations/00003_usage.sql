-- +goose Up

-- The usage of accounts. Rows are never deleted: there is one a day for each key, and
-- one for the tokens and links of an app together, whose api_key_id is empty. There is
-- no foreign key, since it would lock the account's row for every batch; the statement
-- that writes joins with accounts instead.
CREATE TABLE usage_days (
  account_id text NOT NULL,
  day date NOT NULL,
  app_id text NOT NULL,
  api_key_id text NOT NULL,
  requests bigint NOT NULL,
  metered bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (account_id, day, app_id, api_key_id)
);

-- The sums of metered by account and day, which is what an account has spent of its
-- daily quota.
CREATE TABLE usage_account_days (
  account_id text NOT NULL,
  day date NOT NULL,
  metered bigint NOT NULL,
  PRIMARY KEY (account_id, day)
);

-- Batches that were applied. They stay for a day, so that a batch that is sent again
-- is recognised.
CREATE TABLE usage_batches (
  id text PRIMARY KEY,
  applied_at timestamptz NOT NULL
);
CREATE INDEX usage_batches_applied ON usage_batches (applied_at);

-- Requests of the last 30 days, with a partition for each UTC day. The service makes
-- partitions in advance and drops old ones (internal/usage).
CREATE TABLE request_log (
  at timestamptz NOT NULL,
  request_id text NOT NULL,
  account_id text NOT NULL,
  app_id text NOT NULL,
  api_key_id text NOT NULL,
  connection_id text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status integer NOT NULL,
  latency_us bigint NOT NULL,
  bytes bigint NOT NULL,
  metered boolean NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX request_log_account ON request_log (account_id, at, request_id);
CREATE INDEX request_log_app ON request_log (app_id, at, request_id);

-- +goose Down
DROP TABLE request_log, usage_batches, usage_account_days, usage_days;
