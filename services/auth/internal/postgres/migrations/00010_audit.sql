-- +goose Up

-- The audit log (behaviour: audit), with a partition for each week from Monday on, UTC.
-- It is only added to: the service's role may read and insert, where it is another than
-- the owner, and triggers refuse changes to everyone. Its partitions are made and dropped
-- by the functions below, which run as the owner.
--
-- Texts that say nothing are empty. Indexes leave those rows out.
CREATE TABLE audit_events (
  id text NOT NULL,
  at timestamptz NOT NULL,
  action text NOT NULL,
  outcome text NOT NULL,
  error_code text NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  caller text NOT NULL,
  account_id text NOT NULL,
  app_id text NOT NULL,
  person_id text NOT NULL,
  object_type text NOT NULL,
  object_id text NOT NULL,
  client_address text NOT NULL,
  request_id text NOT NULL,
  details jsonb NOT NULL,
  PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
CREATE INDEX audit_events_account ON audit_events (account_id, at, id) WHERE account_id <> '';
CREATE INDEX audit_events_app ON audit_events (app_id, at, id) WHERE app_id <> '';
CREATE INDEX audit_events_person ON audit_events (person_id, at, id) WHERE person_id <> '';
CREATE INDEX audit_events_action ON audit_events (action, at, id);

-- +goose StatementBegin
CREATE FUNCTION refuse_audit_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END
$$;
-- +goose StatementEnd

-- Partitions get the trigger for rows from the table. That for TRUNCATE they get one by
-- one, when they are made.
CREATE TRIGGER audit_events_fixed BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_events_kept BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Makes the partition of a moment, if it is missing. It does so for no moment that the
-- log does not hold, nor for one that is more than five weeks ahead. It creates the
-- partition as a table and then attaches it, which does not block readers and writers
-- (Postgres manual, 5.11.2.2).
-- +goose StatementBegin
CREATE FUNCTION make_audit_partition(moment timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' SET timezone = 'UTC'
AS $$
DECLARE
  first timestamptz := date_trunc('week', moment, 'UTC');
  name text := 'audit_events_' || to_char(first, 'YYYYMMDD');
BEGIN
  IF moment < now() - interval '400 days' OR moment > now() + interval '35 days' THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(130195296183555); -- "vitae", 3: replicas take turns
  IF to_regclass(format('public.%I', name)) IS NOT NULL THEN
    RETURN true;
  END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.audit_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
  EXECUTE format('CREATE TRIGGER audit_events_kept BEFORE TRUNCATE ON public.%I FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change()', name);
  EXECUTE format('ALTER TABLE public.audit_events ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    name, first, first + interval '7 days');
  RETURN true;
END
$$;
-- +goose StatementEnd

-- Drops one partition, all of whose events are older than 400 days by this server's
-- clock, and reports whether it did. It waits little for its lock, since every insert waits
-- behind it; the next round tries again. Nothing that a caller says makes it drop a younger
-- one.
-- +goose StatementBegin
CREATE FUNCTION drop_audit_partition() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms' SET timezone = 'UTC'
AS $$
DECLARE
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(130195296183555);
  SELECT c.relname INTO name
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'public.audit_events'::regclass AND c.relname ~ '^audit_events_[0-9]{8}$'
    AND to_timestamp(right(c.relname, 8), 'YYYYMMDD') + interval '7 days' <= now() - interval '400 days'
  ORDER BY c.relname LIMIT 1;
  IF name IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE public.%I', name);
  RETURN true;
END
$$;
-- +goose StatementEnd

REVOKE ALL ON FUNCTION make_audit_partition(timestamptz), drop_audit_partition() FROM PUBLIC;

-- The first start needs partitions at once; the service makes the later ones.
SELECT make_audit_partition(now() + week * interval '7 days') FROM generate_series(-1, 4) week;

-- +goose Down
DROP TABLE audit_events;
DROP FUNCTION drop_audit_partition(), make_audit_partition(timestamptz), refuse_audit_change();
