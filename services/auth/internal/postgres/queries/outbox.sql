-- name: AddOrder :one
INSERT INTO forget_outbox (account_id, whole_account, hashes, created_at)
VALUES (@account_id, @whole_account, @hashes, @created_at)
RETURNING id;

-- name: TakeOrders :many
-- Index: forget_outbox_created. The lock lasts as long as the caller's
-- transaction; other replicas skip what it holds.
SELECT sqlc.embed(forget_outbox) FROM forget_outbox
WHERE created_at < @before
ORDER BY created_at, id
LIMIT @at_most
FOR UPDATE SKIP LOCKED;

-- name: DropOrder :exec
-- Index: forget_outbox_pkey.
DELETE FROM forget_outbox WHERE id = @id;
