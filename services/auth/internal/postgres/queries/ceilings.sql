-- name: GetCeiling :one
-- Index: sign_in_ceilings_pkey.
SELECT open_until, turns_until FROM sign_in_ceilings WHERE account = @account;

-- name: LockCeiling :one
-- Creates the row if it doesn't exist, and locks it in either case.
INSERT INTO sign_in_ceilings (account, open_until, turns_until) VALUES (@account, 'epoch', 'epoch')
ON CONFLICT (account) DO UPDATE SET account = excluded.account
RETURNING open_until, turns_until;

-- name: SetCeiling :exec
-- Index: sign_in_ceilings_pkey.
UPDATE sign_in_ceilings SET open_until = @open_until, turns_until = @turns_until WHERE account = @account;

-- name: GetTurn :one
-- Index: sign_in_turns_pkey.
SELECT due_at, booked, failures FROM sign_in_turns WHERE account = @account AND device = @device;

-- name: SetTurn :exec
INSERT INTO sign_in_turns (account, device, due_at, booked, failures)
VALUES (@account, @device, @due_at, @booked, @failures)
ON CONFLICT (account, device) DO UPDATE
SET due_at = excluded.due_at, booked = excluded.booked, failures = excluded.failures;

-- name: DeleteTurn :exec
-- Index: sign_in_turns_pkey.
DELETE FROM sign_in_turns WHERE account = @account AND device = @device;
