-- name: ApplicationsOfPerson :many
-- Returns one page of a person's applications, newest first: the first page, or the page after an
-- application. They are sorted in memory, because a person has few. Index: applications_once,
-- resumes_application_id_key, applications_pkey.
SELECT a.id, a.job_id, a.status, a.applied_at, a.updated_at, a.history_status, a.history_at, a.cv_title, r.filename
FROM applications a
LEFT JOIN resumes r ON r.application_id = a.id
WHERE a.person_id = @person_id AND (@after::text = '' OR (a.applied_at, a.id) < (
    SELECT o.applied_at, o.id FROM applications o WHERE o.id = @after AND o.person_id = @person_id))
ORDER BY a.applied_at DESC, a.id DESC
LIMIT @size;
