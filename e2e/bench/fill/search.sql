-- What `query` searches, for the applications to a job ($1). The names of the
-- filling are ASCII, so that lower() folds them as the service does.
INSERT INTO application_search (application_id, job_id, person_id, status, applied_at, search_text)
SELECT a.id, a.job_id, a.person_id, a.status, a.applied_at,
    lower(p.name) || E'\n' || p.email || E'\n' || lower(coalesce(a.cv_title, ''))
FROM applications AS a JOIN profiles AS p USING (person_id)
WHERE a.job_id = $1
