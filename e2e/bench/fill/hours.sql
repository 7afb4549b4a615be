-- Counts the applications for a job ($1) per hour, by status and, with status '', in total.
INSERT INTO application_counts (job_id, status, hour, count)
SELECT $1, coalesce(status, ''), hour, count(*)
FROM applications, LATERAL (SELECT date_trunc('hour', applied_at, 'UTC') AS hour) AS made
WHERE job_id = $1 GROUP BY GROUPING SETS ((status, hour), (hour))
