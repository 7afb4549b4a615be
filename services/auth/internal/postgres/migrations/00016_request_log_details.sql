-- +goose Up

-- What the console shows of a request, beside what the log held already. Texts that say
-- nothing are empty. Replicas of the release before leave the new columns as they are.
ALTER TABLE request_log
  -- The public code of the error; empty for an answer without one.
  ADD COLUMN error_code text NOT NULL DEFAULT '',
  -- The id in the path; empty if the route has none, or the path held no id of ours.
  ADD COLUMN resource_id text NOT NULL DEFAULT '',
  ADD COLUMN client_address text NOT NULL DEFAULT '',
  ADD COLUMN user_agent text NOT NULL DEFAULT '',
  -- What was left of the account's budget after the request; NULL if that is not known.
  ADD COLUMN minute_left integer,
  ADD COLUMN day_left integer,
  -- The limit that refused; empty if none did.
  ADD COLUMN refused_by text NOT NULL DEFAULT '';

-- The facet of a request: a number for all that the log is filtered by, but time and
-- resource. Requests that differ in none of it have the same. An account would need some
-- billions of facets for two to share a number. It stands in indexes, so its result must
-- never change; another way to number facets is another function.
CREATE FUNCTION request_facet(account_id text, app_id text, api_key_id text, method text, route text, status integer, error_code text, refused_by text)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(account_id || chr(31) || app_id || chr(31) || api_key_id || chr(31) || method || chr(31) || route || chr(31)
  || status::text || chr(31) || error_code || chr(31) || refused_by, 0);

-- A number for a resource of an account, as above.
CREATE FUNCTION request_resource(account_id text, resource_id text)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(account_id || chr(31) || resource_id, 0);

-- The facets of each account, and on which day each was last seen.
CREATE TABLE request_facets (
  account_id text NOT NULL,
  facet bigint NOT NULL,
  app_id text NOT NULL,
  api_key_id text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status integer NOT NULL,
  error_code text NOT NULL,
  refused_by text NOT NULL,
  last_day date NOT NULL,
  PRIMARY KEY (account_id, facet)
);
CREATE INDEX request_facets_last_day ON request_facets (last_day);

-- How many requests a day has of a facet, and from when to when. A filter of the log reads
-- here where its facets lie, and then those requests alone (behaviour: usage#filters).
CREATE TABLE request_facet_days (
  facet bigint NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (facet, day)
) WITH (fillfactor = 70); -- no index holds what changes, so changes stay within a page
CREATE INDEX request_facet_days_day ON request_facet_days (day);

-- Keeps both, whichever release the replica is of that writes to the log. Every batch locks
-- its rows in the order of their key, and the tables in one order, so that no two batches
-- wait for each other.
-- +goose StatementBegin
CREATE FUNCTION summarize_requests() RETURNS trigger
LANGUAGE plpgsql SET timezone = 'UTC'
AS $$
BEGIN
  WITH counted AS MATERIALIZED (
    SELECT account_id, at::date AS day, request_facet(account_id, app_id, api_key_id, method, route, status, error_code, refused_by) AS facet,
      app_id, api_key_id, method, route, status, error_code, refused_by, count(*) AS requests, min(at) AS first_at, max(at) AS last_at
    FROM added
    GROUP BY account_id, at::date, app_id, api_key_id, method, route, status, error_code, refused_by
  ), named AS (
    INSERT INTO request_facets AS f (account_id, facet, app_id, api_key_id, method, route, status, error_code, refused_by, last_day)
    SELECT account_id, facet, app_id, api_key_id, method, route, status, error_code, refused_by, max(day)
    FROM counted c
    WHERE NOT EXISTS (SELECT FROM request_facets k WHERE k.account_id = c.account_id AND k.facet = c.facet AND k.last_day >= c.day)
    GROUP BY account_id, facet, app_id, api_key_id, method, route, status, error_code, refused_by
    ORDER BY account_id, facet
    ON CONFLICT (account_id, facet) DO UPDATE SET last_day = excluded.last_day WHERE f.last_day < excluded.last_day
  )
  INSERT INTO request_facet_days AS d (facet, day, requests, first_at, last_at)
  SELECT facet, day, requests, first_at, last_at FROM counted
  ORDER BY facet, day
  ON CONFLICT (facet, day) DO UPDATE SET requests = d.requests + excluded.requests,
    first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at);
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER request_log_summary AFTER INSERT ON request_log
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION summarize_requests();

-- The first day whose facets and indexes are complete. Days before it are read without
-- them, until the log no longer holds them. (What a gateway whose clock is ahead has logged
-- for that day before this migration, filters do not find.) It is set below.
CREATE FUNCTION request_facets_since() RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN date '1970-01-01';

-- The facet stands in the index of resources in another form (~), so that Postgres never
-- reads the requests of a whole facet to find those of a resource.
--
-- The index of a day that is being written would be built while its writers wait, so days
-- until today go without. From tomorrow on every day has them.
-- +goose StatementBegin
DO $$
DECLARE
  first date := CASE WHEN EXISTS (SELECT FROM request_log) THEN (now() AT TIME ZONE 'UTC')::date + 1 ELSE '1970-01-01' END;
  part text;
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION request_facets_since() RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN date %L', first);
  CREATE INDEX request_log_facet ON ONLY request_log
    (request_facet(account_id, app_id, api_key_id, method, route, status, error_code, refused_by), at);
  CREATE INDEX request_log_resource ON ONLY request_log
    (request_resource(account_id, resource_id), (~request_facet(account_id, app_id, api_key_id, method, route, status, error_code, refused_by)), at) WHERE resource_id <> '';
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_log'::regclass AND c.relname ~ '^request_log_[0-9]{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') >= first
  LOOP
    EXECUTE format('CREATE INDEX %I ON %I
      (request_facet(account_id, app_id, api_key_id, method, route, status, error_code, refused_by), at)', part || '_facet', part);
    EXECUTE format('CREATE INDEX %I ON %I
      (request_resource(account_id, resource_id), (~request_facet(account_id, app_id, api_key_id, method, route, status, error_code, refused_by)), at) WHERE resource_id <> %L',
      part || '_resource', part, '');
    EXECUTE format('ALTER INDEX request_log_facet ATTACH PARTITION %I', part || '_facet');
    EXECUTE format('ALTER INDEX request_log_resource ATTACH PARTITION %I', part || '_resource');
  END LOOP;
END
$$;
-- +goose StatementEnd

-- Facets find the requests of an app. Replicas of the release before find them by
-- request_log_account: more slowly, and the same.
DROP INDEX request_log_app;

-- +goose Down
CREATE INDEX request_log_app ON request_log (app_id, at, request_id);
DROP INDEX request_log_resource, request_log_facet;
DROP TRIGGER request_log_summary ON request_log;
DROP TABLE request_facet_days, request_facets;
DROP FUNCTION summarize_requests(), request_facets_since(), request_resource(text, text), request_facet(text, text, text, text, text, integer, text, text);
ALTER TABLE request_log DROP COLUMN error_code, DROP COLUMN resource_id, DROP COLUMN client_address, DROP COLUMN user_agent,
  DROP COLUMN minute_left, DROP COLUMN day_left, DROP COLUMN refused_by;
