-- name: AddApplicationReads :exec
-- Index: application_reads_pkey. Every batch locks these rows in key order, and before the rows of
-- connection_reads, so that concurrent batches don't deadlock.
INSERT INTO application_reads AS r (application_id, app_id, day, reads, last_at)
SELECT u.application_id, u.app_id, u.day, u.reads, u.last_at
FROM (
  SELECT unnest(@application_ids::text[]) AS application_id, unnest(@app_ids::text[]) AS app_id, unnest(@days::date[]) AS day,
    unnest(@reads::bigint[]) AS reads, unnest(@last_ats::timestamptz[]) AS last_at
) u
ORDER BY u.application_id, u.app_id, u.day
ON CONFLICT (application_id, app_id, day) DO UPDATE SET reads = r.reads + excluded.reads, last_at = greatest(r.last_at, excluded.last_at);

-- name: ListApplicationReads :many
-- Indexes: application_reads_pkey, apps_pkey. If the app no longer exists, its name is empty.
SELECT r.application_id, r.day, r.reads, r.last_at, coalesce(a.name, '')::text AS app_name
FROM application_reads r LEFT JOIN apps a ON a.id = r.app_id
WHERE r.application_id = ANY (@application_ids::text[]) AND r.day >= @since
ORDER BY r.application_id, r.day DESC, r.app_id;

-- name: DeleteApplicationReads :execrows
-- Index: application_reads_day.
DELETE FROM application_reads r WHERE r.day < @before AND r.ctid = ANY (ARRAY(
  SELECT o.ctid FROM application_reads o WHERE o.day < @before ORDER BY o.day LIMIT @at_most));
