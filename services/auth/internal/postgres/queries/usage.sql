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
-- Index: refusal_days_pkey.
SELECT day, refused_by, requests FROM refusal_days
WHERE account_id = @account_id AND day BETWEEN @from_day AND @to_day
ORDER BY day DESC, refused_by;

-- name: TakeUsageBatch :many
-- Index: accounts_pkey. Waits for any transaction that is applying the same batch. Returns those of the accounts
-- that exist, or no rows if the batch has already been applied.
WITH taken AS (
  INSERT INTO usage_batches (id, applied_at) VALUES (@id, @applied_at) ON CONFLICT DO NOTHING RETURNING id
)
SELECT a.id FROM taken JOIN accounts a ON a.id = ANY (@account_ids::text[]);

-- name: AddUsageDays :exec
-- Every batch locks these rows in key order, and locks the tables in a fixed order, so that concurrent batches
-- don't deadlock.
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
-- The rows are locked in key order, as in AddUsageDays.
INSERT INTO usage_account_days AS d (account_id, day, metered)
SELECT u.account_id, u.day, sum(u.metered)::bigint
FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@days::date[]) AS day, unnest(@metered::bigint[]) AS metered
) u
GROUP BY u.account_id, u.day
HAVING sum(u.metered) > 0
ORDER BY u.account_id, u.day
ON CONFLICT (account_id, day) DO UPDATE SET metered = d.metered + excluded.metered;

-- name: AddRefusals :exec
-- The rows are locked in key order, as in AddUsageDays.
INSERT INTO refusal_days AS d (account_id, day, refused_by, requests)
SELECT * FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@days::date[]) AS day, unnest(@refused_by::text[]) AS refused_by,
    unnest(@requests::bigint[]) AS requests
) u
ORDER BY account_id, day, refused_by
ON CONFLICT (account_id, day, refused_by) DO UPDATE SET requests = d.requests + excluded.requests;

-- name: AddUsageMinutes :exec
-- The rows are locked in key order, as in AddUsageDays.
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
-- The rows are locked in key order, as in AddUsageDays.
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
-- Indexes: usage_batches_applied, usage_batches_pkey. For ANY with an array, see cleanup.sql.
DELETE FROM usage_batches WHERE id = ANY (ARRAY(
  SELECT b.id FROM usage_batches b WHERE b.applied_at < @before ORDER BY b.applied_at LIMIT @at_most));

-- name: DeleteRefusals :execrows
-- Index: refusal_days_day. Finds the rows by ctid, because the table has no single-column key.
DELETE FROM refusal_days d WHERE d.day < @before AND d.ctid = ANY (ARRAY(
  SELECT o.ctid FROM refusal_days o WHERE o.day < @before ORDER BY o.day LIMIT @at_most));

-- name: DeleteUsageMinutes :execrows
-- Index: usage_minutes_minute.
DELETE FROM usage_minutes d WHERE d.minute < @before AND d.ctid = ANY (ARRAY(
  SELECT o.ctid FROM usage_minutes o WHERE o.minute < @before ORDER BY o.minute LIMIT @at_most));

-- name: DeleteRouteLatencies :execrows
-- Index: route_latencies_day.
DELETE FROM route_latencies d WHERE d.day < @before AND d.ctid = ANY (ARRAY(
  SELECT o.ctid FROM route_latencies o WHERE o.day < @before ORDER BY o.day LIMIT @at_most));
