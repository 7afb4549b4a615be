-- name: AddOrder :one
INSERT INTO forget_outbox (account_id, whole_account, connection_id, hashes, created_at)
VALUES (@account_id, @whole_account, @connection_id, @hashes, @created_at)
RETURNING id;

-- name: ListOrders :many
-- Index: forget_outbox_created.
SELECT sqlc.embed(forget_outbox) FROM forget_outbox
WHERE created_at < @before
ORDER BY created_at, id
LIMIT @at_most;

-- name: OpenConnectionOrder :one
-- Indexes: connections_pkey, apps_pkey, forget_outbox_account. The newest order
-- of a person's connection, live or ended, that is not carried out.
SELECT sqlc.embed(o) FROM connections c
JOIN apps a ON a.id = c.app_id
JOIN forget_outbox o ON o.account_id = a.account_id AND o.connection_id = c.id
WHERE c.id = @connection_id AND c.person_id = @person_id
ORDER BY o.id DESC
LIMIT 1;

-- name: OpenLegacyTokenOrder :one
-- Indexes: access_tokens_pkey, apps_pkey, forget_outbox_account. The newest order
-- for a token of the older interface, by itself or with its connection.
SELECT sqlc.embed(o) FROM access_tokens t
JOIN apps a ON a.id = t.app_id
JOIN forget_outbox o ON o.account_id = a.account_id AND (t.hash = ANY (o.hashes) OR o.connection_id = t.connection_id)
WHERE t.hash = @hash AND t.legacy
ORDER BY o.id DESC
LIMIT 1;

-- name: OpenApiKeyOrder :one
-- Indexes: api_keys_pkey, apps_pkey, forget_outbox_account.
SELECT sqlc.embed(o) FROM api_keys k
JOIN apps a ON a.id = k.app_id
JOIN forget_outbox o ON o.account_id = a.account_id AND k.hash = ANY (o.hashes)
WHERE k.id = @id
ORDER BY o.id DESC
LIMIT 1;

-- name: DropOrder :exec
-- Index: forget_outbox_pkey.
DELETE FROM forget_outbox WHERE id = @id;
