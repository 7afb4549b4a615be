-- name: GetSpent :one
-- Index: usage_account_days_pkey.
SELECT metered FROM usage_account_days WHERE account_id = @account_id AND day = @day;

-- name: ListUsage :many
-- Index: usage_days_pkey.
SELECT day, CASE WHEN @by_app::boolean THEN app_id ELSE '' END::text AS app, CASE WHEN @by_key::boolean THEN api_key_id ELSE '' END::text AS key,
  sum(requests)::bigint AS requests, sum(metered)::bigint AS metered, sum(failed)::bigint AS failed,
  sum(refused)::bigint AS refused, sum(redirected)::bigint AS redirected, sum(server_failed)::bigint AS server_failed
FROM usage_days
WHERE account_id = @account_id AND day BETWEEN @from_day AND @to_day
  AND (@app_id::text = '' OR app_id = @app_id) AND (@any_key::boolean OR api_key_id = @api_key_id)
GROUP BY day, app, key
ORDER BY day DESC, app, key;

-- name: ListUsageMinutes :many
-- Index: usage_minutes_pkey.
SELECT minute, sum(requests)::bigint AS requests, sum(metered)::bigint AS metered, sum(refused)::bigint AS refused
FROM usage_minutes
WHERE account_id = @account_id AND minute >= @since
  AND (@app_id::text = '' OR app_id = @app_id) AND (@any_key::boolean OR api_key_id = @api_key_id)
GROUP BY minute
ORDER BY minute;

-- name: ListRouteLatencies :many
-- Index: route_latencies_pkey.
SELECT route, method, bucket, sum(requests)::bigint AS requests, sum(failed)::bigint AS failed, sum(server_failed)::bigint AS server_failed
FROM route_latencies
WHERE account_id = @account_id AND day BETWEEN @from_day AND @to_day
GROUP BY route, method, bucket
ORDER BY route, method, bucket;

-- name: ListRefusals :many
-- Indexes: request_facets_pkey, request_facet_days_pkey.
SELECT d.day, f.refused_by, sum(d.requests)::bigint AS requests
FROM request_facets f JOIN request_facet_days d ON d.facet = f.facet
WHERE f.account_id = @account_id AND f.refused_by <> '' AND d.day BETWEEN @from_day AND @to_day
GROUP BY d.day, f.refused_by
ORDER BY d.day DESC, f.refused_by;

-- name: TakeUsageBatch :many
-- Index: accounts_pkey. Waits for a transaction that is applying the same batch. Gives
-- those of the accounts that exist, and none if the batch was applied before.
WITH taken AS (
  INSERT INTO usage_batches (id, applied_at) VALUES (@id, @applied_at) ON CONFLICT DO NOTHING RETURNING id
)
SELECT a.id FROM taken JOIN accounts a ON a.id = ANY (@account_ids::text[]);

-- name: AddUsageDays :exec
-- Every batch locks its rows in the order of their key, and the tables in one order, so
-- that no two batches wait for each other. Replicas of the release before have the same
-- orders.
INSERT INTO usage_days AS d (account_id, day, app_id, api_key_id, requests, metered, failed, refused, redirected, server_failed)
SELECT u.account_id, u.day, u.app_id, u.api_key_id, sum(u.requests)::bigint, sum(u.metered)::bigint, sum(u.failed)::bigint,
  sum(u.refused)::bigint, sum(u.redirected)::bigint, sum(u.server_failed)::bigint
FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@days::date[]) AS day, unnest(@app_ids::text[]) AS app_id,
    unnest(@api_key_ids::text[]) AS api_key_id, unnest(@requests::bigint[]) AS requests,
    unnest(@metered::bigint[]) AS metered, unnest(@failed::bigint[]) AS failed, unnest(@refused::bigint[]) AS refused,
    unnest(@redirected::bigint[]) AS redirected, unnest(@server_failed::bigint[]) AS server_failed
) u
GROUP BY u.account_id, u.day, u.app_id, u.api_key_id
ORDER BY u.account_id, u.day, u.app_id, u.api_key_id
ON CONFLICT (account_id, day, app_id, api_key_id) DO UPDATE SET
  requests = d.requests + excluded.requests, metered = d.metered + excluded.metered, failed = d.failed + excluded.failed,
  refused = d.refused + excluded.refused, redirected = d.redirected + excluded.redirected, server_failed = d.server_failed + excluded.server_failed;

-- name: AddUsageAccountDays :exec
-- As above.
INSERT INTO usage_account_days AS d (account_id, day, metered)
SELECT u.account_id, u.day, sum(u.metered)::bigint
FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@days::date[]) AS day, unnest(@metered::bigint[]) AS metered
) u
GROUP BY u.account_id, u.day
HAVING sum(u.metered) > 0
ORDER BY u.account_id, u.day
ON CONFLICT (account_id, day) DO UPDATE SET metered = d.metered + excluded.metered;

-- name: AddFacets :exec
-- Indexes: request_facets_pkey, request_facet_days_pkey. As above. A facet is named when a day first has it: who adds the row of the day adds or
-- renews that of the facet in the same transaction, so most batches have none to name. A
-- row of request_facet_days that was there before has been updated, so it has an xmax.
WITH added AS MATERIALIZED (
  SELECT request_facet(u.account_id, u.app_id, u.api_key_id, u.method, u.route, u.status, u.error_code, u.refused_by) AS facet, u.*
  FROM (
    SELECT unnest(@account_ids::text[]) AS account_id, unnest(@app_ids::text[]) AS app_id, unnest(@api_key_ids::text[]) AS api_key_id,
      unnest(@methods::text[]) AS method, unnest(@routes::text[]) AS route, unnest(@statuses::integer[]) AS status,
      unnest(@error_codes::text[]) AS error_code, unnest(@refused_by::text[]) AS refused_by, unnest(@days::date[]) AS day,
      unnest(@requests::bigint[]) AS requests, unnest(@first_ats::timestamptz[]) AS first_at, unnest(@last_ats::timestamptz[]) AS last_at
  ) u
), counted AS (
  INSERT INTO request_facet_days AS d (facet, day, requests, first_at, last_at)
  SELECT facet, day, requests, first_at, last_at FROM added
  ORDER BY facet, day
  ON CONFLICT (facet, day) DO UPDATE SET requests = d.requests + excluded.requests,
    first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at)
  RETURNING d.facet, d.day, d.xmax = 0 AS is_new
)
INSERT INTO request_facets AS f (account_id, facet, app_id, api_key_id, method, route, status, error_code, refused_by, last_day)
SELECT a.account_id, a.facet, a.app_id, a.api_key_id, a.method, a.route, a.status, a.error_code, a.refused_by, max(a.day)
FROM counted c JOIN added a ON a.facet = c.facet AND a.day = c.day
WHERE c.is_new
GROUP BY a.account_id, a.facet, a.app_id, a.api_key_id, a.method, a.route, a.status, a.error_code, a.refused_by
ORDER BY a.account_id, a.facet
ON CONFLICT (account_id, facet) DO UPDATE SET last_day = excluded.last_day WHERE f.last_day < excluded.last_day;

-- name: AddUsageMinutes :exec
-- As above.
INSERT INTO usage_minutes AS m (account_id, minute, app_id, api_key_id, requests, metered, refused)
SELECT * FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@minutes::timestamptz[]) AS minute, unnest(@app_ids::text[]) AS app_id,
    unnest(@api_key_ids::text[]) AS api_key_id, unnest(@requests::bigint[]) AS requests,
    unnest(@metered::bigint[]) AS metered, unnest(@refused::bigint[]) AS refused
) u
ORDER BY account_id, minute, app_id, api_key_id
ON CONFLICT (account_id, minute, app_id, api_key_id) DO UPDATE SET
  requests = m.requests + excluded.requests, metered = m.metered + excluded.metered, refused = m.refused + excluded.refused;

-- name: AddRouteLatencies :exec
-- As above.
INSERT INTO route_latencies AS l (account_id, day, method, route, bucket, requests, failed, server_failed)
SELECT * FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@days::date[]) AS day, unnest(@methods::text[]) AS method,
    unnest(@routes::text[]) AS route, unnest(@buckets::smallint[]) AS bucket, unnest(@requests::bigint[]) AS requests,
    unnest(@failed::bigint[]) AS failed, unnest(@server_failed::bigint[]) AS server_failed
) u
ORDER BY account_id, day, method, route, bucket
ON CONFLICT (account_id, day, method, route, bucket) DO UPDATE SET
  requests = l.requests + excluded.requests, failed = l.failed + excluded.failed, server_failed = l.server_failed + excluded.server_failed;

-- name: DeleteUsageBatches :execrows
-- Indexes: usage_batches_applied, usage_batches_pkey. ANY of an array as in cleanup.sql.
DELETE FROM usage_batches WHERE id = ANY (ARRAY(
  SELECT b.id FROM usage_batches b WHERE b.applied_at < @before ORDER BY b.applied_at LIMIT @at_most));

-- name: DeleteFacets :execrows
-- Index: request_facets_last_day. By the place of the row, as the other two.
DELETE FROM request_facets d WHERE d.last_day < @before AND d.ctid = ANY (ARRAY(
  SELECT o.ctid FROM request_facets o WHERE o.last_day < @before ORDER BY o.last_day LIMIT @at_most));

-- name: DeleteFacetDays :execrows
-- Index: request_facet_days_day.
DELETE FROM request_facet_days d WHERE d.day < @before AND d.ctid = ANY (ARRAY(
  SELECT o.ctid FROM request_facet_days o WHERE o.day < @before ORDER BY o.day LIMIT @at_most));

-- name: DeleteUsageMinutes :execrows
-- Index: usage_minutes_minute.
DELETE FROM usage_minutes d WHERE d.minute < @before AND d.ctid = ANY (ARRAY(
  SELECT o.ctid FROM usage_minutes o WHERE o.minute < @before ORDER BY o.minute LIMIT @at_most));

-- name: DeleteRouteLatencies :execrows
-- Index: route_latencies_day.
DELETE FROM route_latencies d WHERE d.day < @before AND d.ctid = ANY (ARRAY(
  SELECT o.ctid FROM route_latencies o WHERE o.day < @before ORDER BY o.day LIMIT @at_most));
