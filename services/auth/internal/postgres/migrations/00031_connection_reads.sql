-- +goose Up

-- What apps have read of a person, by connection, UTC day and kind
-- (behaviour: usage#reads-of-a-person). It is counted from the requests that the log holds,
-- in the transaction that logs them, and kept for a year.
CREATE TABLE connection_reads (
  connection_id text NOT NULL,
  day date NOT NULL,
  -- What was read, a word of read_kind.
  kind text NOT NULL,
  reads bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, day, kind)
) WITH (fillfactor = 70); -- no index holds what changes, so changes stay within a page
CREATE INDEX connection_reads_day ON connection_reads (day);

-- What a request of a connection reads; NULL for nothing of the person.
CREATE FUNCTION read_kind(method text, route text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN method = 'GET' THEN CASE route
  WHEN '/v1/me' THEN 'identity'
  WHEN '/v1/me/cv' THEN 'cv'
  WHEN '/v1/me/cv.pdf' THEN 'pdf'
  WHEN '/v1/cv-links/{token}' THEN 'link'
  WHEN '/v1/photos/{token}' THEN 'photo'
  WHEN '/api/oauth/profile' THEN 'profile'
END END;

-- The service counts them itself, and says so with a setting of its transaction. For
-- replicas of the release before, which do not, this trigger does. It runs where the service
-- counts: right after the requests are logged, before any other row is locked.
-- +goose StatementBegin
CREATE FUNCTION count_reads() RETURNS trigger
LANGUAGE plpgsql SET timezone = 'UTC'
AS $$
BEGIN
  INSERT INTO connection_reads AS r (connection_id, day, kind, reads, last_at)
  SELECT connection_id, at::date, read_kind(method, route), count(*), max(at) FROM added
  WHERE connection_id <> '' AND status < 400 AND read_kind(method, route) IS NOT NULL
  GROUP BY connection_id, at::date, read_kind(method, route)
  ORDER BY connection_id, at::date, read_kind(method, route)
  ON CONFLICT (connection_id, day, kind) DO UPDATE SET reads = r.reads + excluded.reads, last_at = greatest(r.last_at, excluded.last_at);
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER request_log_reads AFTER INSERT ON request_log
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT
WHEN (current_setting('vitae.reads_are_counted', true) IS DISTINCT FROM 'yes')
EXECUTE FUNCTION count_reads();

-- +goose Down
DROP TRIGGER request_log_reads ON request_log;
DROP FUNCTION count_reads(), read_kind(text, text);
DROP TABLE connection_reads;
