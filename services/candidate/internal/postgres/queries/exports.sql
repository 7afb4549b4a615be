-- name: ExportsSince :many
-- Returns a person's exports that were requested after a time, and older ones that have not been
-- removed, newest first. Index: exports_by_person.
SELECT sqlc.embed(exports) FROM exports
WHERE person_id = @person_id AND (requested_at > @since::timestamptz OR state <> 'removed')
ORDER BY requested_at DESC, id DESC;

-- name: AddExport :execrows
-- Inserts no row if an export of the person is already being made. Index: exports_being_made.
INSERT INTO exports (id, person_id, language, requested_at, state, due_at)
VALUES (@id, @person_id, @language, @requested_at::timestamptz, 'being_made', @requested_at::timestamptz)
ON CONFLICT (person_id) WHERE state = 'being_made' DO NOTHING;

-- name: ReplaceExports :exec
-- Marks the person's earlier exports for removal when a new one is requested. Index: exports_by_person.
UPDATE exports SET state = 'removed', due_at = @at::timestamptz
WHERE person_id = @person_id AND state = 'ready';

-- name: LeaseExport :many
-- Leases one due export until the given time. Index: exports_due, exports_pkey.
UPDATE exports SET due_at = @until::timestamptz, attempts = attempts + (state = 'being_made')::integer
WHERE id = ANY (ARRAY(
    SELECT e.id FROM exports e WHERE e.due_at <= @at::timestamptz ORDER BY e.due_at LIMIT 1 FOR UPDATE SKIP LOCKED))
RETURNING sqlc.embed(exports);

-- name: StepExport :execrows
-- Updates no row if a different worker has taken over the export or it has been deleted. Index:
-- exports_pkey.
UPDATE exports SET done = @done, steps = @steps, due_at = @until::timestamptz
WHERE id = @id AND attempts = @attempts AND state = 'being_made';

-- name: FinishExport :execrows
-- Updates no row in the same cases as StepExport. The export is due immediately, to be announced.
-- Index: exports_pkey.
UPDATE exports SET state = 'ready', done = steps, size = @size, expires_at = @expires_at::timestamptz, due_at = @at::timestamptz
WHERE id = @id AND attempts = @attempts AND state = 'being_made';

-- name: MoveExport :exec
-- Sets an export's next state and due time. It changes nothing if a different worker has since
-- started on the export. A replaced export stays marked for removal. Index: exports_pkey.
UPDATE exports SET state = @state, due_at = @due_at::timestamptz, announced = @announced
WHERE id = @id AND attempts = @attempts AND (state <> 'removed' OR @state = 'removed');

-- name: DeleteExport :exec
-- Index: exports_pkey.
DELETE FROM exports WHERE id = @id;

-- name: CvsOf :many
-- Index: cvs_by_person.
SELECT id, person_id, title, content, created_at, updated_at, version, template FROM cvs WHERE person_id = @person_id ORDER BY created_at, id;

-- name: ApplicationsOf :many
-- Returns one page of a person's applications with their submissions and resumes. Index:
-- applications_once, submissions_pkey, resumes_application_id_key.
SELECT sqlc.embed(a), s.cover_letter, s.cv_created_at, s.cv_content,
    r.id AS resume_id, r.filename, r.content_type, r.size, r.blob_key, r.created_at AS resume_created_at
FROM applications a
JOIN submissions s ON s.application_id = a.id
LEFT JOIN resumes r ON r.application_id = a.id
WHERE a.person_id = @person_id AND a.job_id > @after
ORDER BY a.job_id
LIMIT @at_most;
