-- name: GetSpent :one
-- Index: usage_account_days_pkey.
SELECT metered FROM usage_account_days WHERE account_id = @account_id AND day = @day;

-- name: ListUsage :many
-- Index: usage_days_pkey.
SELECT sqlc.embed(usage_days) FROM usage_days
WHERE account_id = @account_id AND day BETWEEN @from_day AND @to_day
ORDER BY day DESC, app_id, api_key_id;

-- name: TakeUsageBatch :execrows
-- Waits for a transaction that is applying the same batch. Counts no row if the batch
-- was applied before.
INSERT INTO usage_batches (id, applied_at) VALUES (@id, @applied_at) ON CONFLICT DO NOTHING;

-- name: AddUsageDays :exec
-- Index: accounts_pkey. Every batch locks its rows in the order of their key, and the
-- rows of this table before those of usage_account_days, so that no two batches wait
-- for each other.
INSERT INTO usage_days AS d (account_id, day, app_id, api_key_id, requests, metered, failed)
SELECT u.account_id, u.day, u.app_id, u.api_key_id, sum(u.requests)::bigint, sum(u.metered)::bigint, sum(u.failed)::bigint
FROM (
  SELECT unnest(@account_ids::text[]) AS account_id, unnest(@days::date[]) AS day, unnest(@app_ids::text[]) AS app_id,
    unnest(@api_key_ids::text[]) AS api_key_id, unnest(@requests::bigint[]) AS requests,
    unnest(@metered::bigint[]) AS metered, unnest(@failed::bigint[]) AS failed
) u
JOIN accounts a ON a.id = u.account_id
GROUP BY u.account_id, u.day, u.app_id, u.api_key_id
ORDER BY u.account_id, u.day, u.app_id, u.api_key_id
ON CONFLICT (account_id, day, app_id, api_key_id) DO UPDATE SET
  requests = d.requests + excluded.requests, metered = d.metered + excluded.metered, failed = d.failed + excluded.failed;

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
