-- +goose Up

-- The kind of a request: a number for what the log is filtered by within a resource. What
-- is alike lies together: the first bits are those of route and method, the next of the
-- status, the app, and the key or the code of the error. So a filter is a few ranges of
-- kinds, and what a resource has of it is found by stepping from range to range. Requests
-- that differ may have one kind by chance; whoever reads them looks at their columns too.
-- It stands in an index, so its result must never change.
CREATE FUNCTION request_kind(app_id text, api_key_id text, method text, route text, status integer, error_code text)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ((hashtextextended(route, hashtext(method)) & 1048575) << 44) | ((status & 1023)::bigint << 34) | ((hashtext(app_id) & 1023)::bigint << 24)
  | (hashtextextended(api_key_id, hashtext(error_code)) & 16777215);

-- The days that have no index of kinds. It is set below.
CREATE FUNCTION request_kinds_missing() RETURNS date[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '{}'::date[];

-- The index of kinds takes the place of request_log_resource, so a request is in as many
-- indexes as before. Replicas of the release before use it in its place: for a resource
-- with many requests more slowly, with the same result.
--
-- Indexing a day makes those wait that write to it. Days that are over get few late
-- requests, and a small day takes less than a second. So all are indexed but a large day
-- that is being written, today's or yesterday's. Its resources are looked for in the whole
-- day, until it is gone. The log itself is locked at the end, for a moment.
-- +goose StatementBegin
DO $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  missing date[] := '{}';
  part record;
  made text[] := '{}';
  name text;
BEGIN
  FOR part IN
    SELECT c.relname AS name, to_date(right(c.relname, 8), 'YYYYMMDD') AS day, pg_relation_size(c.oid) AS size
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_log'::regclass AND c.relname ~ '^request_log_[0-9]{8}$'
    ORDER BY c.relname
  LOOP
    CONTINUE WHEN part.day < request_facets_since();
    IF part.day >= today - 1 AND part.size > 32 * 1024 * 1024 THEN
      missing := missing || part.day;
    ELSE
      EXECUTE format('CREATE INDEX %I ON %I (request_resource(account_id, resource_id),
        request_kind(app_id, api_key_id, method, route, status, error_code), at) WHERE resource_id <> %L', part.name || '_kinds', part.name, '');
      made := made || (part.name || '_kinds');
    END IF;
  END LOOP;
  CREATE INDEX request_log_kinds ON ONLY request_log
    (request_resource(account_id, resource_id), request_kind(app_id, api_key_id, method, route, status, error_code), at) WHERE resource_id <> '';
  FOREACH name IN ARRAY made LOOP
    EXECUTE format('ALTER INDEX request_log_kinds ATTACH PARTITION %I', name);
  END LOOP;
  EXECUTE format('CREATE OR REPLACE FUNCTION request_kinds_missing() RETURNS date[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %L::date[]', missing);
END
$$;
-- +goose StatementEnd
DROP INDEX request_log_resource;

-- +goose Down
CREATE INDEX request_log_resource ON request_log
  (request_resource(account_id, resource_id), (~request_facet(account_id, app_id, api_key_id, method, route, status, error_code, refused_by)), at) WHERE resource_id <> '';
DROP INDEX request_log_kinds;
DROP FUNCTION request_kinds_missing(), request_kind(text, text, text, text, integer, text);
