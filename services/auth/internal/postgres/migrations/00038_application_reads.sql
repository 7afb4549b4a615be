-- +goose Up

-- How often applications were read in full, by application, app and UTC day
-- (behaviour: usage#reads-of-an-application). It is counted from the requests that the log
-- holds, in the transaction that logs them, and kept for a year, as connection_reads are.
CREATE TABLE application_reads (
  application_id text NOT NULL,
  app_id text NOT NULL,
  day date NOT NULL,
  reads bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (application_id, app_id, day)
) WITH (fillfactor = 70); -- no index holds what changes, so changes stay within a page
CREATE INDEX application_reads_day ON application_reads (day);

-- Whether a request reads an application; resource_id names it then.
CREATE FUNCTION reads_application(method text, route text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN method = 'GET' AND route = '/v1/candidates/{applicationId}';

-- The service counts them itself, and says so with a setting of its transaction. For
-- replicas of the release before, which do not, this trigger does. It runs where the service
-- counts: before the reads of people, whose trigger has a later name.
-- +goose StatementBegin
CREATE FUNCTION count_application_reads() RETURNS trigger
LANGUAGE plpgsql SET timezone = 'UTC'
AS $$
BEGIN
  INSERT INTO application_reads AS r (application_id, app_id, day, reads, last_at)
  SELECT resource_id, app_id, at::date, count(*), max(at) FROM added
  WHERE resource_id <> '' AND status < 400 AND reads_application(method, route)
  GROUP BY resource_id, app_id, at::date
  ORDER BY resource_id, app_id, at::date
  ON CONFLICT (application_id, app_id, day) DO UPDATE SET reads = r.reads + excluded.reads, last_at = greatest(r.last_at, excluded.last_at);
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER request_log_application_reads AFTER INSERT ON request_log
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT
WHEN (current_setting('vitae.application_reads_are_counted', true) IS DISTINCT FROM 'yes')
EXECUTE FUNCTION count_application_reads();

-- +goose Down
DROP TRIGGER request_log_application_reads ON request_log;
DROP FUNCTION count_application_reads(), reads_application(text, text);
DROP TABLE application_reads;
