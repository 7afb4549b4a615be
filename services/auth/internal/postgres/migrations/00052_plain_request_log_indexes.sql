-- +goose Up

-- A filter of the log is served by an index on what it names, newest first. The service adds
-- up what is kept next to the log, so no trigger does.
DROP TRIGGER request_log_summary ON request_log;
DROP TRIGGER request_log_reads ON request_log;
DROP TRIGGER request_log_application_reads ON request_log;
DROP INDEX request_log_facet, request_log_kinds;
DROP TABLE request_facet_days, request_facets;
DROP FUNCTION summarize_requests(), count_reads(), count_application_reads(), read_kind(text, text), reads_application(text, text),
  request_facets_since(), request_kinds_missing(), request_resource(text, text),
  request_facet(text, text, text, text, text, integer, text, text), request_kind(text, text, text, text, integer, text);

-- The account has another collation in these, so that Postgres cannot use request_log_account
-- in their place and read every request of the account to find a few.
CREATE INDEX request_log_app ON request_log (account_id COLLATE "C", app_id, at);
CREATE INDEX request_log_key ON request_log (account_id COLLATE "C", api_key_id, at);
-- Most answers are 2xx. request_log_account finds them.
CREATE INDEX request_log_class ON request_log (account_id COLLATE "C", (status / 100), at) WHERE status >= 300;
CREATE INDEX request_log_code ON request_log (account_id COLLATE "C", error_code, at) WHERE error_code <> '';
CREATE INDEX request_log_resource ON request_log (account_id COLLATE "C", resource_id, at) WHERE resource_id <> '';

-- How many requests limits have refused (behaviour: usage#refusals).
CREATE TABLE refusal_days (
  account_id text NOT NULL,
  day date NOT NULL,
  -- The limit, as in request_log.
  refused_by text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (account_id, day, refused_by)
) WITH (fillfactor = 70);
CREATE INDEX refusal_days_day ON refusal_days (day);

-- +goose Down
-- The earlier indexes and summaries cannot be made again from here.
