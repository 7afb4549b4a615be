-- name: ExportAccount :one
-- Indexes: people_pkey, person_deletions_pkey. The deletion columns are null unless the person has requested the
-- account's deletion.
SELECT sqlc.embed(p), d.requested_at AS deletion_requested_at, d.due_at AS deletion_due_at
FROM people p LEFT JOIN person_deletions d ON d.person_id = p.id
WHERE p.id = @id;

-- name: ExportSessions :many
-- Index: sessions_person. Returns the live sessions, most recently used first.
SELECT sqlc.embed(s), coalesce(s.used_at, s.created_at)::timestamptz AS used_at,
  coalesce(s.proved_at, s.created_at)::timestamptz AS proved_at
FROM sessions s
WHERE s.person_id = @person_id AND s.expires_at > @at
ORDER BY coalesce(s.used_at, s.created_at) DESC, s.id;

-- name: ExportPasskeys :many
-- Index: passkeys_person. Omits the keys themselves.
SELECT name, created_at, used_at FROM passkeys WHERE person_id = @person_id ORDER BY created_at, id;

-- name: ExportBrowsers :many
-- Index: devices_person. Returns the browsers that the account knows.
SELECT signed_in_at, expires_at, failures FROM devices
WHERE person_id = @person_id AND expires_at > @at
ORDER BY signed_in_at DESC;

-- name: ExportConsoleSessions :many
-- Index: console_sessions_person.
SELECT created_at, used_at, expires_at FROM console_sessions
WHERE person_id = @person_id AND expires_at > @at
ORDER BY used_at DESC;

-- name: ExportInvitations :many
-- Indexes: people_pkey, invitations_email, accounts_pkey. Returns the invitations that the person can accept.
SELECT i.account_id, a.name AS account_name, i.role, i.created_at, i.expires_at
FROM people p JOIN invitations i ON i.email_key = p.email_key JOIN accounts a ON a.id = i.account_id
WHERE p.id = @person_id AND p.email_verified AND a.closed_at IS NULL AND i.expires_at > @at
ORDER BY i.created_at, i.id;

-- name: ExportLinks :many
-- Index: cv_links_connection. Omits the links' URLs.
SELECT created_at, ended_at FROM cv_links WHERE connection_id = @connection_id ORDER BY created_at, id;

-- name: ExportConnections :many
-- Indexes: connections_person, apps_pkey. Returns a page of all of a person's connections, including ended ones.
SELECT sqlc.embed(connections), apps.name AS app_name
FROM connections JOIN apps ON apps.id = connections.app_id
WHERE connections.person_id = @person_id AND connections.id > @after
ORDER BY connections.id LIMIT @at_most;

-- name: ExportReads :many
-- Indexes: connection_reads_pkey, connection_read_countries_pkey. Returns a page of a connection's reads. For
-- each day and kind there is one row per country. If no country is known, there is a single row with an empty
-- country.
WITH page AS (
  SELECT o.connection_id, o.day, o.kind, o.reads, o.last_at FROM connection_reads o
  WHERE o.connection_id = @connection_id AND (o.day, o.kind) > (@after_day::date, @after_kind::text)
  ORDER BY o.day, o.kind LIMIT @at_most
)
SELECT r.connection_id, r.day, r.kind, r.reads, r.last_at, coalesce(k.country, '')::text AS country, coalesce(k.reads, 0)::bigint AS reads_from
FROM page r LEFT JOIN connection_read_countries k ON k.connection_id = r.connection_id AND k.day = r.day AND k.kind = r.kind
ORDER BY r.day, r.kind, k.reads DESC, k.country;

-- name: ExportMemberships :many
-- Indexes: members_person, accounts_pkey.
SELECT m.account_id, a.name AS account_name, m.role, m.created_at
FROM members m JOIN accounts a ON a.id = m.account_id
WHERE m.person_id = @person_id
ORDER BY m.account_id;
