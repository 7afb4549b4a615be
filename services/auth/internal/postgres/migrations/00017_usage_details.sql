-- +goose Up

-- What the answers of usage_days were, by class; what is counted in none of them and has
-- not failed was answered with 2xx. Replicas of the release before add nothing to them:
-- what they count as failed is taken for 4xx.
ALTER TABLE usage_days
  ADD COLUMN refused bigint NOT NULL DEFAULT 0,
  ADD COLUMN redirected bigint NOT NULL DEFAULT 0,
  ADD COLUMN server_failed bigint NOT NULL DEFAULT 0;

-- What the log holds of a minute, for some hours (behaviour: usage#by-minute).
CREATE TABLE usage_minutes (
  account_id text NOT NULL,
  minute timestamptz NOT NULL,
  app_id text NOT NULL,
  api_key_id text NOT NULL,
  requests bigint NOT NULL,
  metered bigint NOT NULL,
  refused bigint NOT NULL,
  PRIMARY KEY (account_id, minute, app_id, api_key_id)
) WITH (fillfactor = 70);
CREATE INDEX usage_minutes_minute ON usage_minutes (minute);

-- How long the requests of a route took (behaviour: usage#routes). A bucket holds what
-- took from 2^(bucket/2) to 2^((bucket+1)/2) microseconds.
CREATE TABLE route_latencies (
  account_id text NOT NULL,
  day date NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  bucket smallint NOT NULL,
  requests bigint NOT NULL,
  failed bigint NOT NULL,
  server_failed bigint NOT NULL,
  PRIMARY KEY (account_id, day, method, route, bucket)
) WITH (fillfactor = 70);
CREATE INDEX route_latencies_day ON route_latencies (day);

-- As in the migration before, with the two tables of this one.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION summarize_requests() RETURNS trigger
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
  INSERT INTO usage_minutes AS m (account_id, minute, app_id, api_key_id, requests, metered, refused)
  SELECT account_id, date_trunc('minute', at) AS began, app_id, api_key_id,
    count(*), count(*) FILTER (WHERE metered), count(*) FILTER (WHERE refused_by <> '')
  FROM added
  GROUP BY account_id, began, app_id, api_key_id
  ORDER BY account_id, began, app_id, api_key_id
  ON CONFLICT (account_id, minute, app_id, api_key_id) DO UPDATE SET
    requests = m.requests + excluded.requests, metered = m.metered + excluded.metered, refused = m.refused + excluded.refused;
  INSERT INTO route_latencies AS l (account_id, day, method, route, bucket, requests, failed, server_failed)
  SELECT account_id, at::date, method, route, floor(2 * ln(greatest(latency_us, 1)) / ln(2.0::float8))::smallint AS held,
    count(*), count(*) FILTER (WHERE status >= 400), count(*) FILTER (WHERE status >= 500)
  FROM added
  GROUP BY account_id, at::date, method, route, held
  ORDER BY account_id, at::date, method, route, held
  ON CONFLICT (account_id, day, method, route, bucket) DO UPDATE SET
    requests = l.requests + excluded.requests, failed = l.failed + excluded.failed, server_failed = l.server_failed + excluded.server_failed;
  RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION summarize_requests() RETURNS trigger
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
DROP TABLE route_latencies, usage_minutes;
ALTER TABLE usage_days DROP COLUMN refused, DROP COLUMN redirected, DROP COLUMN server_failed;
