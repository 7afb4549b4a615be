-- name: AddRequests :exec
-- Index: accounts_pkey.
INSERT INTO request_log (at, request_id, account_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered)
SELECT u.at, u.request_id, u.account_id, u.app_id, u.api_key_id, u.connection_id, u.method, u.route, u.status, u.latency_us, u.bytes, u.metered
FROM (
  SELECT unnest(@ats::timestamptz[]) AS at, unnest(@request_ids::text[]) AS request_id, unnest(@account_ids::text[]) AS account_id,
    unnest(@app_ids::text[]) AS app_id, unnest(@api_key_ids::text[]) AS api_key_id, unnest(@connection_ids::text[]) AS connection_id,
    unnest(@methods::text[]) AS method, unnest(@routes::text[]) AS route, unnest(@statuses::integer[]) AS status,
    unnest(@latencies_us::bigint[]) AS latency_us, unnest(@bytes::bigint[]) AS bytes, unnest(@metered::boolean[]) AS metered
) u
JOIN accounts a ON a.id = u.account_id;

-- name: ListRequests :many
-- Index: request_log_account. Postgres reads the partitions from the newest on, and
-- stops when the page is full.
SELECT sqlc.embed(request_log) FROM request_log
WHERE account_id = @account_id AND at >= @since AND at <= @before_at AND (at, request_id) < (@before_at, @before_id::text)
ORDER BY at DESC, request_id DESC
LIMIT @at_most;

-- name: ListAppRequests :many
-- Index: request_log_app.
SELECT sqlc.embed(request_log) FROM request_log
WHERE app_id = @app_id AND account_id = @account_id AND at >= @since AND at <= @before_at AND (at, request_id) < (@before_at, @before_id::text)
ORDER BY at DESC, request_id DESC
LIMIT @at_most;
