-- Counts the applications to a job ($1), of each status and, as '', of all.
INSERT INTO application_totals (job_id, status, count)
SELECT $1, coalesce(status, ''), count(*) FROM applications WHERE job_id = $1 GROUP BY ROLLUP (status)
