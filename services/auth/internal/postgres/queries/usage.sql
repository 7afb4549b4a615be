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

-- name: TakeUsageBatch :execrows
-- Waits for a transaction that is applying the same batch. Counts no row if the batch
-- was applied before.
INSERT INTO usage_batches (id, applied_at) VALUES (@id, @applied_at) ON CONFLICT DO NOTHING;

-- name: AddUsageDays :exec
-- Index: accounts_pkey. Every batch locks its rows in the order of their key, and the
-- rows of this table before those of usage_account_days, so that no two batches wait
-- for each other.
INSERT INTO usage_days AS d (account_id, day, app_id, api_key_id, requests, metered, failed, refused, redirected, server_failed)
SELECT u.account_id, u.day, u.app_id, u.api_key_id, sum(u.requests)::bigint, sum(u.metered)::bigint, sum(u.failed)::bigint,
  sum(u.refused)::bigint, sum(u.redirected)::bigint, sum(u.server_failed)::bigint
FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@days::date[]) AS day, unnest(@app_ids::text[]) AS app_id,
    unnest(@api_key_ids::text[]) AS api_key_id, unnest(@requests::bigint[]) AS requests,
    unnest(@metered::bigint[]) AS metered, unnest(@failed::bigint[]) AS failed, unnest(@refused::bigint[]) AS refused,
    unnest(@redirected::bigint[]) AS redirected, unnest(@server_failed::bigint[]) AS server_failed
) u
JOIN accounts a ON a.id = u.account_id
GROUP BY u.account_id, u.day, u.app_id, u.api_key_id
ORDER BY u.account_id, u.day, u.app_id, u.api_key_id
ON CONFLICT (account_id, day, app_id, api_key_id) DO UPDATE SET
  requests = d.requests + excluded.requests, metered = d.metered + excluded.metered, failed = d.failed + excluded.failed,
  refused = d.refused + excluded.refused, redirected = d.redirected + excluded.redirected, server_failed = d.server_failed + excluded.server_failed;

-- name: AddUsageAccountDays :exec
-- Index: accounts_pkey. Every batch locks its rows in the order of their key.
INSERT INTO usage_account_days AS d (account_id, day, metered)
SELECT u.account_id, u.day, sum(u.metered)::bigint
FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@days::date[]) AS day, unnest(@metered::bigint[]) AS metered
) u
JOIN accounts a ON a.id = u.account_id
GROUP BY u.account_id, u.day
HAVING sum(u.metered) > 0
ORDER BY u.account_id, u.day
ON CONFLICT (account_id, day) DO UPDATE SET metered = d.metered + excluded.metered;

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
