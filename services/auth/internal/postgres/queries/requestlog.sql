-- A page of the log is read by statements in requestlog.go, because the index to use depends on the filter.

-- name: GetRequest :one
-- Index: request_log_account.
SELECT sqlc.embed(request_log) FROM request_log
WHERE account_id = @account_id AND at >= @from_at AND at <= @to_at AND request_id = @request_id;
