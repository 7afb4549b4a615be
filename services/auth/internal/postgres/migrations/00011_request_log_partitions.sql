-- +goose Up

-- The partitions of the request log are made and dropped by functions that run as the
-- owner of the log, since the service's role may be another.

-- Makes the partition of a day, if it is missing. It creates the partition as a table and
-- then attaches it, which does not block readers and writers (Postgres manual, 5.11.2.2).
-- +goose StatementBegin
CREATE FUNCTION make_request_log_partition(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' SET timezone = 'UTC'
AS $$
DECLARE
  name text := 'request_log_' || to_char(day, 'YYYYMMDD');
BEGIN
  PERFORM pg_advisory_xact_lock(130195296183553); -- "vitae", 1: replicas take turns
  IF to_regclass(format('public.%I', name)) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.request_log INCLUDING ALL)', name);
  EXECUTE format('ALTER TABLE public.request_log ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    name, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
END
$$;
-- +goose StatementEnd

-- Drops the oldest partition, if it is of a day before the given one, and reports
-- whether it did.
-- +goose StatementBegin
CREATE FUNCTION drop_request_log_partition(before date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms' SET timezone = 'UTC'
AS $$
DECLARE
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(130195296183553);
  SELECT c.relname INTO name
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'public.request_log'::regclass AND c.relname ~ '^request_log_[0-9]{8}$'
    AND to_date(right(c.relname, 8), 'YYYYMMDD') < before
  ORDER BY c.relname LIMIT 1;
  IF name IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE public.%I', name);
  RETURN true;
END
$$;
-- +goose StatementEnd

REVOKE ALL ON FUNCTION make_request_log_partition(date), drop_request_log_partition(date) FROM PUBLIC;

-- +goose Down
DROP FUNCTION drop_request_log_partition(date), make_request_log_partition(date);
