-- name: AddPlanRequest :exec
-- The unique index plan_requests_open rejects a second open request of the same account.
INSERT INTO plan_requests (id, account_id, plan, per_minute, per_day, reason, state, created_at, created_by)
VALUES (@id, @account_id, @plan, sqlc.narg(per_minute), sqlc.narg(per_day), @reason, 'open', @created_at, @created_by);

-- name: ListPlanRequests :many
-- Index: plan_requests_created.
SELECT sqlc.embed(r), a.name AS account_name FROM plan_requests r JOIN accounts a ON a.id = r.account_id
ORDER BY r.created_at DESC, r.id DESC
LIMIT @at_most;

-- name: ListOpenPlanRequests :many
-- Index: plan_requests_waiting.
SELECT sqlc.embed(r), a.name AS account_name FROM plan_requests r JOIN accounts a ON a.id = r.account_id
WHERE r.state = 'open'
ORDER BY r.created_at DESC, r.id DESC
LIMIT @at_most;

-- name: ListAccountPlanRequests :many
-- Index: plan_requests_account.
SELECT sqlc.embed(r), a.name AS account_name FROM plan_requests r JOIN accounts a ON a.id = r.account_id
WHERE r.account_id = @account_id AND (r.state = 'open' OR NOT @open_only::boolean)
ORDER BY r.created_at DESC, r.id DESC
LIMIT @at_most;

-- name: LockAccountOfPlanRequest :one
-- Indexes: plan_requests_pkey, accounts_pkey. A decision on a request locks the account first. Closing an
-- account does the same before it deletes open requests, so the two cannot deadlock.
SELECT a.id FROM plan_requests r
JOIN accounts a ON a.id = r.account_id AND a.closed_at IS NULL
WHERE r.id = @id
FOR NO KEY UPDATE OF a;

-- name: DecidePlanRequest :one
-- Index: plan_requests_pkey. If two decisions are made concurrently, only one gets the row.
UPDATE plan_requests r SET state = @state, note = @note, decided_at = @at::timestamptz, decided_by = @decided_by
FROM accounts a
WHERE r.id = @id AND r.state = 'open' AND a.id = r.account_id
RETURNING sqlc.embed(r), a.name AS account_name;

-- name: DeleteOpenPlanRequests :exec
-- Index: plan_requests_open.
DELETE FROM plan_requests WHERE account_id = @account_id AND state = 'open';
