-- name: CountJobs :one
-- Reports whether the app manages the company, and the number of its jobs with the given statuses.
-- Index: companies_pkey, job_counts_pkey.
SELECT
    EXISTS (SELECT FROM companies WHERE companies.id = @company_id AND companies.app_id = @app_id) AS managed,
    coalesce((
        SELECT sum(job_counts.count) FROM job_counts
        WHERE job_counts.company_id = @company_id AND job_counts.span = 'all' AND job_counts.status = ANY (@statuses::text[])
    ), 0)::integer AS total;

-- name: FindJobs :one
-- Like CountJobs, but also finds the hour in which job number @skip + 1 of the list was created:
-- stop is the end of that hour, and newer is the number of jobs created after it. The query reads
-- the monthly counts first, then the hourly counts of one month. Past the end of the list, stop is
-- the epoch. Index: companies_pkey, job_counts_pkey.
WITH months AS (
    SELECT start, sum(count) AS count, sum(sum(count)) OVER (ORDER BY start DESC) AS upto
    FROM job_counts
    WHERE company_id = @company_id AND span = 'month' AND status = ANY (@statuses::text[])
    GROUP BY start
), month AS (
    SELECT start, upto - count AS newer FROM months WHERE upto > @skip::bigint ORDER BY start DESC LIMIT 1
), hours AS (
    SELECT hour.start, month.newer, sum(hour.count) AS count, sum(sum(hour.count)) OVER (ORDER BY hour.start DESC) AS upto
    FROM month, job_counts AS hour
    WHERE hour.company_id = @company_id AND hour.span = 'hour' AND hour.status = ANY (@statuses::text[])
      AND hour.start >= month.start AND hour.start < month.start + interval '1 month'
    GROUP BY hour.start, month.newer
), hour AS (
    SELECT start + interval '1 hour' AS stop, newer + upto - count AS newer
    FROM hours WHERE newer + upto > @skip::bigint ORDER BY start DESC LIMIT 1
)
SELECT
    EXISTS (SELECT FROM companies WHERE companies.id = @company_id AND companies.app_id = @app_id) AS managed,
    coalesce((
        SELECT sum(job_counts.count) FROM job_counts
        WHERE job_counts.company_id = @company_id AND job_counts.span = 'all' AND job_counts.status = ANY (@statuses::text[])
    ), 0)::integer AS total,
    coalesce((SELECT hour.stop FROM hour), 'epoch')::timestamptz AS stop,
    coalesce((SELECT hour.newer FROM hour), 0)::bigint AS newer;

-- name: FirstJobsOfCompany :many
-- Lists the first page of JobsOfCompany; each row includes the total that CountJobs returns. There
-- is no row if there are no jobs or the app does not manage the company. Index: companies_pkey,
-- job_counts_pkey, jobs_by_company.
SELECT sqlc.embed(jobs), coalesce((
        SELECT sum(job_counts.count) FROM job_counts
        WHERE job_counts.company_id = @company_id AND job_counts.span = 'all' AND job_counts.status = ANY (@statuses::text[])
    ), 0)::integer AS total
FROM jobs
WHERE jobs.company_id = @company_id AND jobs.status <> 'archived'
  AND EXISTS (SELECT FROM companies WHERE companies.id = @company_id AND companies.app_id = @app_id)
ORDER BY jobs.created_at DESC, jobs.id DESC
LIMIT @size::bigint;

-- name: FirstJobsInStatus :many
-- Like FirstJobsOfCompany, but for one status. Index: companies_pkey, job_counts_pkey,
-- jobs_by_status.
SELECT sqlc.embed(jobs), coalesce((
        SELECT sum(job_counts.count) FROM job_counts
        WHERE job_counts.company_id = @company_id AND job_counts.span = 'all' AND job_counts.status = @status
    ), 0)::integer AS total
FROM jobs
WHERE jobs.company_id = @company_id AND jobs.status = @status
  AND EXISTS (SELECT FROM companies WHERE companies.id = @company_id AND companies.app_id = @app_id)
ORDER BY jobs.created_at DESC, jobs.id DESC
LIMIT @size::bigint;

-- name: JobsOfCompany :many
-- Lists a company's jobs created before @before, newest first, without archived jobs. Rows before
-- the page are skipped with an index-only scan. The query uses ANY with an array, because the
-- planner would join a page of unknown size with the whole table. Index: jobs_by_company,
-- jobs_pkey.
SELECT sqlc.embed(jobs) FROM jobs
WHERE jobs.id = ANY (ARRAY(
    SELECT page.id FROM jobs AS page
    WHERE page.company_id = @company_id AND page.status <> 'archived'
      AND page.created_at < coalesce(sqlc.narg('before')::timestamptz, 'infinity')
    ORDER BY page.created_at DESC, page.id DESC
    LIMIT @size::bigint OFFSET @skip::bigint))
ORDER BY jobs.created_at DESC, jobs.id DESC;

-- name: JobsInStatus :many
-- Like JobsOfCompany, but for one status. Index: jobs_by_status, jobs_pkey.
SELECT sqlc.embed(jobs) FROM jobs
WHERE jobs.id = ANY (ARRAY(
    SELECT page.id FROM jobs AS page
    WHERE page.company_id = @company_id AND page.status = @status
      AND page.created_at < coalesce(sqlc.narg('before')::timestamptz, 'infinity')
    ORDER BY page.created_at DESC, page.id DESC
    LIMIT @size::bigint OFFSET @skip::bigint))
ORDER BY jobs.created_at DESC, jobs.id DESC;
