-- +goose Up

-- The role with which auth serves calls this function, so what it drops is bounded here,
-- not by the caller (behaviour: usage#retention). Replicas of the release before call it
-- in the same way, and within the bound.

-- Drops the oldest partition, if it is of a day before the given one and all of its
-- requests are older than 30 days by this server's clock, and reports whether it did.
-- Nothing that a caller says makes it drop a younger one.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION drop_request_log_partition(before date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms' SET timezone = 'UTC'
AS $$
DECLARE
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(130195296183553); -- "vitae", 1: replicas take turns
  SELECT c.relname INTO name
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'public.request_log'::regclass AND c.relname ~ '^request_log_[0-9]{8}$'
    AND to_date(right(c.relname, 8), 'YYYYMMDD') < least(before, (now() - interval '30 days')::date)
  ORDER BY c.relname LIMIT 1;
  IF name IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE public.%I', name);
  RETURN true;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION drop_request_log_partition(before date) RETURNS boolean
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
