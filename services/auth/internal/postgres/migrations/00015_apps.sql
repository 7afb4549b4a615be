-- +goose Up

-- What an app says of itself, who made it, and its end. An app that was deleted keeps its
-- row, for its name. updated_at is NULL until the first change.
ALTER TABLE apps
  ADD COLUMN description text NOT NULL DEFAULT '',
  ADD COLUMN homepage text NOT NULL DEFAULT '',
  ADD COLUMN privacy_policy text NOT NULL DEFAULT '',
  ADD COLUMN terms text NOT NULL DEFAULT '',
  ADD COLUMN support text NOT NULL DEFAULT '',
  ADD COLUMN created_by text NOT NULL DEFAULT '',
  ADD COLUMN updated_at timestamptz,
  ADD COLUMN deleted_at timestamptz,
  -- The version of the logo in app_logos; empty for none.
  ADD COLUMN logo_version text NOT NULL DEFAULT '',
  -- Counts the changes of scopes. scopes_since has, for each of scopes, the count from
  -- which on the app holds it without a break; what is missing there counts as 0.
  ADD COLUMN scopes_version integer NOT NULL DEFAULT 0,
  ADD COLUMN scopes_since integer[] NOT NULL DEFAULT '{}';
CREATE INDEX apps_deleted ON apps (deleted_at) WHERE deleted_at IS NOT NULL;

-- An app of a closed account is a deleted one.
UPDATE apps SET deleted_at = a.closed_at FROM accounts a WHERE a.id = apps.account_id AND a.closed_at IS NOT NULL;

-- The app's scopes_version when the person consented last. Replicas of the release before
-- write 0 or leave what is there. That can only take scopes from a consent, those which the
-- app has lost meanwhile.
ALTER TABLE connections ADD COLUMN scopes_version integer NOT NULL DEFAULT 0;

-- The scopes of a consent that its app has held ever since, in their order
-- (behaviour: apps#a-scope-that-an-app-loses). The scope of the legacy interface is not
-- among an app's scopes: the mark legacy stands for it.
-- +goose StatementBegin
CREATE FUNCTION held_scopes(scopes text[], consented integer, app_scopes text[], app_since integer[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT ARRAY(
    SELECT s FROM unnest(scopes) WITH ORDINALITY AS x (s, n)
    WHERE s = 'profile:read' OR EXISTS (
      SELECT FROM unnest(app_scopes, app_since) AS h (scope, since) WHERE h.scope = s AND coalesce(h.since, 0) <= consented)
    ORDER BY n)
$$;
-- +goose StatementEnd

-- Whether the redirect URI of a code is still registered. It was checked in full when the
-- code was issued; a loopback URI that is registered without a port matches with any
-- (RFC 8252 §7.3).
-- +goose StatementBegin
CREATE FUNCTION still_registered(registered text[], uri text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT uri = ANY (registered)
    OR regexp_replace(uri, '^(http://(127\.0\.0\.1|\[::1\]|localhost)):[0-9]+', '\1') = ANY (registered)
$$;
-- +goose StatementEnd

-- Logos, encoded anew by this service. The version is made of the bytes.
CREATE TABLE app_logos (
  app_id text PRIMARY KEY REFERENCES apps (id) ON DELETE CASCADE,
  version text NOT NULL,
  jpeg bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- hint is the last four characters of a key; empty for a key from before.
ALTER TABLE api_keys
  ADD COLUMN hint text NOT NULL DEFAULT '',
  ADD COLUMN created_by text NOT NULL DEFAULT '',
  ADD COLUMN last_used_at timestamptz;

-- Deleted keys are listed too, for their names. The index takes the place of the one that
-- left them out.
DROP INDEX api_keys_app;
CREATE INDEX api_keys_app ON api_keys (app_id, created_at DESC, id DESC);

-- Requests of accounts for another plan. An account has one open request at most.
CREATE TABLE plan_requests (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  plan text NOT NULL CHECK (plan IN ('standard', 'elevated', 'custom')),
  per_minute integer,
  per_day integer,
  reason text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'granted', 'refused')),
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  decided_at timestamptz,
  decided_by text NOT NULL DEFAULT '',
  CHECK ((plan = 'custom') = (per_minute IS NOT NULL AND per_day IS NOT NULL)),
  CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE UNIQUE INDEX plan_requests_open ON plan_requests (account_id) WHERE state = 'open';
CREATE INDEX plan_requests_account ON plan_requests (account_id, created_at DESC, id DESC);
CREATE INDEX plan_requests_created ON plan_requests (created_at DESC, id DESC);
CREATE INDEX plan_requests_waiting ON plan_requests (created_at DESC, id DESC) WHERE state = 'open';

-- +goose Down
DROP TABLE plan_requests;
DROP INDEX api_keys_app;
CREATE INDEX api_keys_app ON api_keys (app_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
ALTER TABLE api_keys DROP COLUMN hint, DROP COLUMN created_by, DROP COLUMN last_used_at;
DROP TABLE app_logos;
DROP FUNCTION still_registered(text[], text);
DROP FUNCTION held_scopes(text[], integer, text[], integer[]);
ALTER TABLE connections DROP COLUMN scopes_version;
DROP INDEX apps_deleted;
ALTER TABLE apps DROP COLUMN description, DROP COLUMN homepage, DROP COLUMN privacy_policy, DROP COLUMN terms,
  DROP COLUMN support, DROP COLUMN created_by, DROP COLUMN updated_at, DROP COLUMN deleted_at,
  DROP COLUMN logo_version, DROP COLUMN scopes_version, DROP COLUMN scopes_since;
