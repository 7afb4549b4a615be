-- Counts the applications for a job ($1) by status and, with status '', in total.
INSERT INTO application_totals (job_id, status, count)
SELECT $1, coalesce(status, ''), count(*) FROM applications WHERE job_id = $1 GROUP BY ROLLUP (status)
