-- name: LockConsent :one
-- Index: connections_live. Locks the live consent of a person to an app, if there is one.
SELECT sqlc.embed(connections) FROM connections
WHERE person_id = @person_id AND app_id = @app_id AND legacy = @legacy AND ended_at IS NULL
FOR NO KEY UPDATE;

-- name: PutConnection :one
-- Index: connections_live. A consent creates the connection, or locks and updates the live one. The column
-- created is true if the connection was created. The trigger connections_consented restores what the person had
-- withdrawn.
INSERT INTO connections (id, person_id, app_id, legacy, granted_scopes, scopes_version, declined_scopes, cv_sharing, cv_id, share_photo, created_at)
VALUES (@id, @person_id, @app_id, @legacy, @granted_scopes, @scopes_version, @declined_scopes, true, @cv_id, @share_photo, @created_at)
ON CONFLICT (person_id, app_id, legacy) WHERE ended_at IS NULL
DO UPDATE SET granted_scopes = excluded.granted_scopes, scopes_version = excluded.scopes_version,
  declined_scopes = excluded.declined_scopes, cv_sharing = true,
  cv_id = excluded.cv_id, share_photo = excluded.share_photo
RETURNING sqlc.embed(connections), (xmax = 0)::boolean AS created;

-- name: ListConnections :many
-- Indexes: connections_live, apps_pkey, accounts_pkey. A connection that has reached its end date is no longer
-- live, even if the job has not ended its row yet.
SELECT sqlc.embed(connections), sqlc.embed(apps), o.name AS account_name, o.verified_at AS account_verified_at
FROM connections JOIN apps ON apps.id = connections.app_id AND apps.deleted_at IS NULL JOIN accounts o ON o.id = apps.account_id
WHERE connections.person_id = @person_id AND connections.ended_at IS NULL AND (connections.ends_at IS NULL OR connections.ends_at > @at::timestamptz)
ORDER BY connections.created_at DESC, connections.id DESC;

-- name: LockConnections :many
-- Indexes: connections_pkey, connections_live, apps_pkey. Locks a person's live connections with one app, of
-- which there are at most two; id is one of them. They are locked in the order of their ids, so that concurrent
-- transactions don't deadlock.
SELECT sqlc.embed(connections), sqlc.embed(apps)
FROM connections JOIN apps ON apps.id = connections.app_id AND apps.deleted_at IS NULL
WHERE connections.person_id = @person_id AND connections.ended_at IS NULL AND (connections.ends_at IS NULL OR connections.ends_at > @at::timestamptz)
  AND connections.app_id = (SELECT named.app_id FROM connections named WHERE named.id = @id)
ORDER BY connections.id
FOR NO KEY UPDATE OF connections;

-- name: LockConnectionRow :exec
-- Index: connections_pkey. Must be called before anything below the connection is ended.
SELECT 1 FROM connections WHERE id = @id FOR NO KEY UPDATE;

-- name: ChangeConnection :one
-- Index: connections_pkey.
UPDATE connections SET cv_id = @cv_id, cv_sharing = @cv_sharing, withheld = @withheld,
  share_photo = @share_photo, photo_withheld = @photo_withheld, paused_at = @paused_at, ends_at = @ends_at
WHERE id = @id
RETURNING sqlc.embed(connections);

-- name: LockDueConnections :many
-- Index: connections_ending. Locks a batch of live connections that have reached their end date. It skips
-- connections that another transaction has locked; the next run of the job ends these.
SELECT id FROM connections
WHERE ends_at <= @at::timestamptz AND ended_at IS NULL
ORDER BY ends_at
LIMIT @at_most
FOR NO KEY UPDATE SKIP LOCKED;

-- name: MakeLink :exec
-- Indexes: connections_pkey, cv_links_live. The lock makes the statement wait for a change to the consent that
-- is in progress, and see its outcome. The condition on the scopes is the same as in scope.Set.SharesCV. The app
-- still has all scopes of the consent, because the same transaction has stored the consent and locked the app.
INSERT INTO cv_links (id, hash, connection_id, created_at)
SELECT @id::text, @hash::bytea, c.id, @at::timestamptz
FROM (
  SELECT x.id FROM connections x
  WHERE x.id = @connection_id AND x.ended_at IS NULL AND x.scopes && '{cv:read,profile:read}'
  FOR NO KEY UPDATE
) c
ON CONFLICT (connection_id) WHERE ended_at IS NULL DO NOTHING;

-- name: EndLinks :exec
-- Index: cv_links_live.
UPDATE cv_links SET ended_at = @at::timestamptz WHERE connection_id = @connection_id AND ended_at IS NULL;

-- name: EndUnusedLinks :execrows
-- Indexes: cv_links_live, access_tokens_connection. Ends a connection's durable link if the connection has no
-- live token. The caller must have locked the connection's row.
UPDATE cv_links l SET ended_at = @at::timestamptz
WHERE l.connection_id = @connection_id AND l.ended_at IS NULL AND NOT EXISTS (
  SELECT 1 FROM access_tokens t
  WHERE t.connection_id = l.connection_id AND t.expires_at > @at::timestamptz AND t.revoked_at IS NULL
);

-- name: ConnectionHashes :many
-- Indexes: access_tokens_connection, cv_links_connection. Returns the credentials whose records may be in Redis:
-- unexpired tokens, even revoked ones, and links that are live or ended recently. Because revoked tokens are
-- included, repeating a revocation deletes the same records again. It must be called after the commit that made
-- the records stale.
SELECT t.hash FROM access_tokens t WHERE t.connection_id = ANY (@connection_ids::text[]) AND t.expires_at > @at
UNION ALL
SELECT l.hash FROM cv_links l WHERE l.connection_id = ANY (@connection_ids::text[]) AND (l.ended_at IS NULL OR l.ended_at > @recently);

-- name: AddConnectionReads :exec
-- Index: connection_reads_pkey. Every batch locks these rows in key order, and before the rows of usage, so that
-- concurrent batches don't deadlock.
INSERT INTO connection_reads AS r (connection_id, day, kind, reads, last_at)
SELECT u.connection_id, u.day, u.kind, u.reads, u.last_at
FROM (
  SELECT unnest(@connection_ids::text[]) AS connection_id, unnest(@days::date[]) AS day, unnest(@kinds::text[]) AS kind,
    unnest(@reads::bigint[]) AS reads, unnest(@last_ats::timestamptz[]) AS last_at
) u
ORDER BY u.connection_id, u.day, u.kind
ON CONFLICT (connection_id, day, kind) DO UPDATE SET reads = r.reads + excluded.reads, last_at = greatest(r.last_at, excluded.last_at);

-- name: AddConnectionReadCountries :exec
-- Index: connection_read_countries_pkey. Every batch locks these rows in key order, and after the rows of
-- connection_reads to which they belong.
INSERT INTO connection_read_countries AS r (connection_id, day, kind, country, reads)
SELECT u.connection_id, u.day, u.kind, u.country, u.reads
FROM (
  SELECT unnest(@connection_ids::text[]) AS connection_id, unnest(@days::date[]) AS day, unnest(@kinds::text[]) AS kind,
    unnest(@countries::text[]) AS country, unnest(@reads::bigint[]) AS reads
) u
ORDER BY u.connection_id, u.day, u.kind, u.country
ON CONFLICT (connection_id, day, kind, country) DO UPDATE SET reads = r.reads + excluded.reads;

-- name: ListConnectionReads :many
-- Indexes: connections_pkey, connections_live, connection_reads_pkey, connection_read_countries_pkey. Lists the
-- reads through all of a person's live connections with one app; id is one of them. For each day and kind there
-- is one row per country, the country with the most reads first. If no country is known, there is a single row
-- with an empty country.
WITH counted AS (
  SELECT r.day, r.kind, sum(r.reads)::bigint AS reads, max(r.last_at)::timestamptz AS last_at, array_agg(r.connection_id) AS connection_ids
  FROM connections named
  JOIN connections c ON c.person_id = named.person_id AND c.app_id = named.app_id AND c.ended_at IS NULL
  JOIN connection_reads r ON r.connection_id = c.id AND r.day >= @since
  WHERE named.id = @id AND named.person_id = @person_id
  GROUP BY r.day, r.kind
)
SELECT t.day, t.kind, t.reads, t.last_at, coalesce(f.country, '')::text AS country, coalesce(f.reads, 0)::bigint AS reads_from
FROM counted t LEFT JOIN LATERAL (
  SELECT k.country, sum(k.reads) AS reads FROM connection_read_countries k
  WHERE k.connection_id = ANY (t.connection_ids) AND k.day = t.day AND k.kind = t.kind
  GROUP BY k.country
) f ON true
ORDER BY t.day DESC, t.kind, f.reads DESC, f.country;

-- name: DeleteConnectionReads :execrows
-- Index: connection_reads_day.
DELETE FROM connection_reads r WHERE r.day < @before AND r.ctid = ANY (ARRAY(
  SELECT o.ctid FROM connection_reads o WHERE o.day < @before ORDER BY o.day LIMIT @at_most));
