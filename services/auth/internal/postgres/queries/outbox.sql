-- name: AddRevocation :one
-- Each row is an Entry of package revocation, although the table is called forget_outbox.
INSERT INTO forget_outbox (account_id, whole_account, connection_id, other_connection_id, hashes, created_at)
VALUES (@account_id, @whole_account, @connection_id, @other_connection_id, @hashes, @created_at)
RETURNING id;

-- name: ListRevocations :many
-- Index: forget_outbox_created.
SELECT sqlc.embed(forget_outbox) FROM forget_outbox
WHERE created_at < @before
ORDER BY created_at, id
LIMIT @at_most;

-- name: PendingConnectionRevocation :one
-- Indexes: connections_pkey, apps_pkey, forget_outbox_account. Returns the newest pending entry of a person's
-- connection, which may be live or ended.
SELECT sqlc.embed(o) FROM connections c
JOIN apps a ON a.id = c.app_id
JOIN forget_outbox o ON o.account_id = a.account_id AND c.id IN (o.connection_id, o.other_connection_id)
WHERE c.id = @connection_id AND c.person_id = @person_id
ORDER BY o.id DESC
LIMIT 1;

-- name: PendingLegacyTokenRevocation :one
-- Indexes: access_tokens_pkey, apps_pkey, forget_outbox_account. Returns the newest pending entry that covers a
-- legacy token or its connection.
SELECT sqlc.embed(o) FROM access_tokens t
JOIN apps a ON a.id = t.app_id
JOIN forget_outbox o ON o.account_id = a.account_id AND (t.hash = ANY (o.hashes) OR t.connection_id IN (o.connection_id, o.other_connection_id))
WHERE t.hash = @hash AND t.legacy
ORDER BY o.id DESC
LIMIT 1;

-- name: PendingApiKeyRevocation :one
-- Indexes: api_keys_pkey, apps_pkey, forget_outbox_account. Returns the newest pending entry that covers the
-- key.
SELECT sqlc.embed(o) FROM api_keys k
JOIN apps a ON a.id = k.app_id
JOIN forget_outbox o ON o.account_id = a.account_id AND k.hash = ANY (o.hashes)
WHERE k.id = @id
ORDER BY o.id DESC
LIMIT 1;

-- name: PendingAppRevocation :one
-- Indexes: apps_pkey, forget_outbox_account. Returns the newest pending entry that covers the whole account of
-- an app, which may be live or deleted.
SELECT sqlc.embed(o) FROM apps a
JOIN forget_outbox o ON o.account_id = a.account_id AND o.whole_account
WHERE a.id = @app_id
ORDER BY o.id DESC
LIMIT 1;

-- name: PendingSecretRevocation :one
-- Index: forget_outbox_created. Returns the newest pending entry that contains the client secret's mark. The
-- secret's row may have been deleted, so its account is unknown.
SELECT sqlc.embed(forget_outbox) FROM forget_outbox
WHERE created_at > @since AND @mark::bytea = ANY (hashes)
ORDER BY created_at DESC, id DESC
LIMIT 1;

-- name: DeleteRevocation :exec
-- Index: forget_outbox_pkey.
DELETE FROM forget_outbox WHERE id = @id;

-- name: MeasureOutboxes :many
-- Indexes: forget_outbox_created, mail_outbox_created, new_profiles_created, person_deletions_begun. Returns the
-- number of entries in each outbox, and the time of the oldest entry. A deletion counts only after it has begun,
-- and counts as waiting since it became due.
SELECT 'revocations'::text AS outbox, count(*) AS entries, coalesce(min(o.at), 'epoch')::timestamptz AS oldest
FROM (SELECT created_at AS at FROM forget_outbox ORDER BY created_at, id LIMIT @at_most) o
UNION ALL
SELECT 'mail', count(*), coalesce(min(o.at), 'epoch')::timestamptz
FROM (SELECT created_at AS at FROM mail_outbox ORDER BY created_at LIMIT @at_most) o
UNION ALL
SELECT 'new_profiles', count(*), coalesce(min(o.at), 'epoch')::timestamptz
FROM (SELECT created_at AS at FROM new_profiles ORDER BY created_at LIMIT @at_most) o
UNION ALL
SELECT 'person_deletions', count(*), coalesce(min(o.at), 'epoch')::timestamptz
FROM (SELECT due_at AS at FROM person_deletions WHERE begun_at IS NOT NULL ORDER BY next_at LIMIT @at_most) o;
