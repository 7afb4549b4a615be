-- name: ExportAccount :one
-- Index: people_pkey.
SELECT sqlc.embed(people) FROM people WHERE id = @id;

-- name: ExportConnections :many
-- Indexes: connections_person, apps_pkey. A page of all connections of a person, ended ones too.
SELECT sqlc.embed(connections), apps.name AS app_name
FROM connections JOIN apps ON apps.id = connections.app_id
WHERE connections.person_id = @person_id AND connections.id > @after
ORDER BY connections.id LIMIT @at_most;

-- name: ExportReads :many
-- Index: connection_reads_pkey. A page of the reads of a connection.
SELECT connection_id, day, kind, reads, last_at FROM connection_reads
WHERE connection_id = @connection_id AND (day, kind) > (@after_day::date, @after_kind::text)
ORDER BY day, kind LIMIT @at_most;

-- name: ExportMemberships :many
-- Indexes: members_person, accounts_pkey.
SELECT m.account_id, a.name AS account_name, m.role, m.created_at
FROM members m JOIN accounts a ON a.id = m.account_id
WHERE m.person_id = @person_id
ORDER BY m.account_id;
