-- name: CreateJob :one
-- Adds a job to a company of the app and pins the key, if there is one, to it. It adds nothing if
-- the key is already pinned, and waits for a transaction that is pinning it. It is one statement,
-- so a crash leaves both the job and the key or neither. Index: companies_pkey, job_keys_pkey,
-- job_counts_pkey.
WITH company AS (
    SELECT companies.id FROM companies WHERE companies.id = @company_id AND companies.app_id = @app_id
), pinned AS (
    INSERT INTO job_keys (company_id, key, job_id, created_at)
    SELECT company.id, @key, @id, @created_at FROM company WHERE @key::text <> ''
    ON CONFLICT (company_id, key) DO NOTHING
    RETURNING job_id
), made AS (
    INSERT INTO jobs (
        id, company_id, status, title, department, country, city, work_mode, employment, seniority,
        summary, responsibilities, requirements, nice_to_have, benefits,
        salary_min, salary_max, salary_currency, salary_period, salary_visible,
        candidate_location, experience_years, language, work_eligibility,
        programme, programme_note, programme_accepted, questions, distribution, confidential, public_label,
        unmasked_distribution, posted_at, created_at, updated_at
    )
    SELECT
        @id, company.id, @status, @title, @department, @country, @city, @work_mode, @employment, @seniority,
        @summary, @responsibilities::text[], @requirements::text[], @nice_to_have::text[], @benefits::text[],
        sqlc.narg('salary_min')::double precision, sqlc.narg('salary_max')::double precision, @salary_currency, @salary_period, @salary_visible::boolean,
        @candidate_location, @experience_years, @language, @work_eligibility,
        @programme, @programme_note, @programme_accepted::boolean, @questions::jsonb, @distribution, sqlc.narg('confidential')::boolean, @public_label,
        @unmasked_distribution, sqlc.narg('posted_at')::timestamptz, @created_at::timestamptz, @created_at
    FROM company WHERE @key::text = '' OR EXISTS (SELECT FROM pinned)
    RETURNING id
)
SELECT EXISTS (SELECT FROM company) AS managed, EXISTS (SELECT FROM made) AS made;

-- name: PinnedJob :one
-- Index: job_keys_pkey, jobs_pkey, companies_pkey.
SELECT sqlc.embed(jobs)
FROM job_keys
JOIN jobs ON jobs.id = job_keys.job_id
JOIN companies ON companies.id = job_keys.company_id
WHERE job_keys.company_id = @company_id AND job_keys.key = @key AND companies.app_id = @app_id;

-- name: JobByID :one
-- Index: jobs_pkey, companies_pkey.
SELECT sqlc.embed(jobs), companies.app_id
FROM jobs JOIN companies ON companies.id = jobs.company_id
WHERE jobs.id = @id;

-- name: JobOwner :one
-- Index: jobs_pkey, companies_pkey.
SELECT jobs.company_id, companies.app_id
FROM jobs JOIN companies ON companies.id = jobs.company_id
WHERE jobs.id = @id;

-- name: LockJob :one
-- Like JobByID, but locks the job: another LockJob waits until this transaction ends. Index:
-- jobs_pkey, companies_pkey.
SELECT sqlc.embed(jobs), companies.app_id
FROM jobs JOIN companies ON companies.id = jobs.company_id
WHERE jobs.id = @id
FOR NO KEY UPDATE OF jobs;

-- name: EditJob :exec
-- Replaces every column that an edit can change. Index: jobs_pkey.
UPDATE jobs SET
    title = @title, department = @department, country = @country, city = @city,
    work_mode = @work_mode, employment = @employment, seniority = @seniority,
    summary = @summary, responsibilities = @responsibilities, requirements = @requirements,
    nice_to_have = @nice_to_have, benefits = @benefits,
    salary_min = sqlc.narg('salary_min'), salary_max = sqlc.narg('salary_max'), salary_currency = @salary_currency,
    salary_period = @salary_period, salary_visible = @salary_visible,
    candidate_location = @candidate_location, experience_years = @experience_years,
    language = @language, work_eligibility = @work_eligibility,
    programme = @programme, programme_note = @programme_note, programme_accepted = @programme_accepted,
    questions = @questions, distribution = @distribution,
    confidential = sqlc.narg('confidential'), public_label = @public_label, unmasked_distribution = @unmasked_distribution,
    updated_at = @updated_at
WHERE id = @id;

-- name: MoveJob :exec
-- Index: jobs_pkey, job_counts_pkey.
UPDATE jobs SET status = @status, posted_at = sqlc.narg('posted_at'), updated_at = @updated_at WHERE id = @id;

-- name: RecordApplications :exec
-- Raises counts but never lowers them. Rows are locked in the order of their ids, so that two calls
-- cannot deadlock. Index: jobs_pkey.
WITH counted AS (
    SELECT jobs.id, known.count
    FROM (SELECT unnest(@ids::text[]) AS id, unnest(@counts::integer[]) AS count) AS known
    JOIN jobs ON jobs.id = known.id
    ORDER BY jobs.id
    FOR NO KEY UPDATE OF jobs
)
UPDATE jobs SET application_count = counted.count
FROM counted
WHERE jobs.id = counted.id AND jobs.application_count < counted.count;

-- name: DeleteJobKeys :execrows
-- Deletes a batch of old keys. It uses ANY of an array, because the planner turns IN with a limited
-- subquery into a join with the whole table. Index: job_keys_age, then the rows by their ctid.
DELETE FROM job_keys WHERE ctid = ANY (ARRAY(
    SELECT old.ctid FROM job_keys AS old WHERE old.created_at < @before ORDER BY old.created_at LIMIT @at_most
    FOR UPDATE SKIP LOCKED));

-- name: JobHeadings :many
-- Returns the names of jobs for their applicants. For a masked employer, it reads no column of the
-- company that must stay hidden. Index: jobs_pkey, companies_pkey.
SELECT j.id, j.title, coalesce(j.confidential, false)::boolean AS masked,
    (CASE WHEN j.confidential THEN j.public_label ELSE c.name END)::text AS employer
FROM jobs j JOIN companies c ON c.id = j.company_id
WHERE j.id = ANY (@ids::text[]);
