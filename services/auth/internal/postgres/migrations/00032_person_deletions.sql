-- +goose Up

-- Accounts whose people have asked for their deletion (behaviour: account-data#deleting-the-account).
-- There is no foreign key: the row outlives the person, until everything is gone everywhere.
CREATE TABLE person_deletions (
  person_id text PRIMARY KEY,
  requested_at timestamptz NOT NULL,
  -- Until then the person can keep the account.
  due_at timestamptz NOT NULL,
  -- When a job goes on with it. A replica that does moves it ahead, so that no other does
  -- the same meanwhile.
  next_at timestamptz NOT NULL,
  -- When the deletion began; null while the account can be kept.
  begun_at timestamptz,
  -- What finds the rows of the person when that of people is gone: the address in lower case,
  -- and the ids of all connections.
  email_key text NOT NULL DEFAULT '',
  connection_ids text[] NOT NULL DEFAULT '{}',
  -- How often everything was deleted. The second time takes what was under way at the first.
  passes integer NOT NULL DEFAULT 0
);
CREATE INDEX person_deletions_next ON person_deletions (next_at);
CREATE INDEX person_deletions_begun ON person_deletions (next_at) WHERE begun_at IS NOT NULL;

-- The audit log stays append-only but for this: the function below may empty what names a
-- person. What happened, when, by which part, and in which account and app, stays.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_LEVEL = 'ROW' AND TG_OP = 'UPDATE' AND current_setting('vitae.audit_events_are_made_nobodys', true) = 'yes' THEN
    IF (NEW.id, NEW.at, NEW.action, NEW.outcome, NEW.error_code, NEW.actor_kind, NEW.caller, NEW.account_id, NEW.app_id, NEW.object_type, NEW.request_id)
      IS NOT DISTINCT FROM
      (OLD.id, OLD.at, OLD.action, OLD.outcome, OLD.error_code, OLD.actor_kind, OLD.caller, OLD.account_id, OLD.app_id, OLD.object_type, OLD.request_id)
      AND NEW.actor_id IN (OLD.actor_id, '') AND NEW.person_id IN (OLD.person_id, '') AND NEW.object_id IN (OLD.object_id, '')
      AND NEW.client_address IN (OLD.client_address, '') AND NEW.details IN (OLD.details, '{}') THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END
$$;
-- +goose StatementEnd

-- Makes the events of a person whose deletion has begun nobody's, and gives their number. It
-- runs as the owner of the log, because the service's role may not change what the log
-- holds. The addresses of apps that acted for the person, and of others, are no addresses of
-- the person.
-- +goose StatementBegin
CREATE FUNCTION make_audit_events_nobodys(person text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  email text;
  changed bigint;
BEGIN
  SELECT d.email_key INTO email FROM public.person_deletions d WHERE d.person_id = person AND d.begun_at IS NOT NULL;
  IF NOT FOUND OR person = '' THEN
    RETURN 0;
  END IF;
  PERFORM set_config('vitae.audit_events_are_made_nobodys', 'yes', true);
  UPDATE public.audit_events e SET
    person_id = CASE WHEN e.person_id = person THEN '' ELSE e.person_id END,
    actor_id = CASE WHEN e.actor_id = person THEN '' ELSE e.actor_id END,
    object_id = CASE WHEN e.object_id = person THEN '' ELSE e.object_id END,
    client_address = CASE WHEN person IN (e.person_id, e.actor_id) AND e.actor_kind NOT IN ('app', 'api_key') THEN '' ELSE e.client_address END,
    details = CASE WHEN EXISTS (SELECT FROM jsonb_each_text(e.details) d WHERE d.value = person OR email <> '' AND lower(d.value) = email)
      THEN '{}' ELSE e.details END
  WHERE e.person_id = person OR e.actor_id = person OR e.object_id = person
    OR EXISTS (SELECT FROM jsonb_each_text(e.details) d WHERE d.value = person OR email <> '' AND lower(d.value) = email);
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM set_config('vitae.audit_events_are_made_nobodys', '', true);
  RETURN changed;
END
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION make_audit_events_nobodys(text) FROM PUBLIC;

-- +goose Down
DROP FUNCTION make_audit_events_nobodys(text);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END
$$;
-- +goose StatementEnd
DROP TABLE person_deletions;
