-- What `query` searches, for the applications to a job ($1). The names of the
-- filling are ASCII, so that lower() folds them as the service does.
WITH job AS (
    INSERT INTO job_numbers (job_id) VALUES ($1) RETURNING number
)
INSERT INTO application_search (application, job, status, search_text)
SELECT a.number, job.number, a.status, lower(p.name) || E'\n' || p.email || E'\n' || lower(coalesce(a.cv_title, ''))
FROM job, applications AS a JOIN profiles AS p USING (person_id)
WHERE a.job_id = $1
