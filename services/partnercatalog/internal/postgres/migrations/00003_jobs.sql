-- +goose Up

-- Jobs. Empty text means none.
CREATE TABLE jobs (
    id                   text             PRIMARY KEY,
    company_id           text             NOT NULL REFERENCES companies,
    status               text             NOT NULL CHECK (status IN ('draft', 'active', 'closed', 'archived')),
    title                text             NOT NULL,
    department           text             NOT NULL,
    country              text             NOT NULL,
    city                 text             NOT NULL,
    work_mode            text             NOT NULL,
    employment           text             NOT NULL,
    seniority            text             NOT NULL,
    summary              text             NOT NULL,
    responsibilities     text[]           NOT NULL,
    requirements         text[]           NOT NULL,
    nice_to_have         text[]           NOT NULL,
    benefits             text[]           NOT NULL,
    salary_min           double precision,
    salary_max           double precision,
    salary_currency      text             NOT NULL,
    -- Empty if there is no compensation.
    salary_period        text             NOT NULL,
    salary_visible       boolean          NOT NULL,
    -- All four are set, or all four are empty.
    candidate_location   text             NOT NULL,
    experience_years     text             NOT NULL,
    language             text             NOT NULL,
    work_eligibility     text             NOT NULL,
    -- Empty if the employer sent none.
    programme            text             NOT NULL,
    programme_note       text             NOT NULL,
    programme_accepted   boolean          NOT NULL,
    -- The versioned form of EncodeQuestions in package job.
    questions            jsonb            NOT NULL,
    distribution         text             NOT NULL,
    -- Null if the employer sent none.
    confidential         boolean,
    public_label         text             NOT NULL,
    application_count    integer          NOT NULL DEFAULT 0,
    -- When the job first went live.
    posted_at            timestamptz,
    -- Cut to the millisecond, as those of companies.
    created_at           timestamptz      NOT NULL,
    updated_at           timestamptz      NOT NULL,
    CONSTRAINT jobs_masked_employer CHECK (confidential IS NOT TRUE OR distribution = 'tabbio_only'),
    CONSTRAINT jobs_posted CHECK (CASE status WHEN 'draft' THEN posted_at IS NULL WHEN 'archived' THEN true ELSE posted_at IS NOT NULL END)
);

-- Lists the jobs of a company that are not archived, newest first.
CREATE INDEX jobs_by_company ON jobs (company_id, created_at DESC, id DESC) WHERE status <> 'archived';

-- Lists the jobs of a company in one status, newest first.
CREATE INDEX jobs_by_status ON jobs (company_id, status, created_at DESC, id DESC);

-- Idempotency keys and the jobs that they are pinned to.
CREATE TABLE job_keys (
    company_id text        NOT NULL REFERENCES companies,
    key        text        NOT NULL,
    job_id     text        NOT NULL REFERENCES jobs,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, key)
);

-- Finds the keys that are old enough to be deleted.
CREATE INDEX job_keys_age ON job_keys (created_at);

-- The number of jobs of a company by status and by time of creation. With it the total
-- of a list needs no count over the table, and a page far inside a list is found
-- without a walk along the index. The triggers below keep it in the transaction that
-- changes the job.
CREATE TABLE job_counts (
    company_id text        NOT NULL,
    -- 'all', or the 'month' or 'hour' that begins at start, in UTC.
    span       text        NOT NULL,
    status     text        NOT NULL,
    -- -infinity for 'all'.
    start      timestamptz NOT NULL,
    count      integer     NOT NULL,
    PRIMARY KEY (company_id, span, status, start)
) WITH (fillfactor = 70);

-- Here and below, rows are locked in the order of the key, so that two transactions
-- cannot deadlock.

-- +goose StatementBegin
CREATE FUNCTION count_new_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_counts AS counts (company_id, span, status, start, count)
    SELECT new_jobs.company_id, spans.span, new_jobs.status, spans.start, count(*)
    FROM new_jobs, LATERAL (VALUES
        ('all', '-infinity'),
        ('month', date_trunc('month', new_jobs.created_at, 'UTC')),
        ('hour', date_trunc('hour', new_jobs.created_at, 'UTC'))
    ) AS spans (span, start)
    GROUP BY new_jobs.company_id, spans.span, new_jobs.status, spans.start
    ORDER BY new_jobs.company_id, spans.span, new_jobs.status, spans.start
    ON CONFLICT (company_id, span, status, start) DO UPDATE SET count = counts.count + excluded.count;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER jobs_count_new AFTER INSERT ON jobs REFERENCING NEW TABLE AS new_jobs
    FOR EACH STATEMENT EXECUTE FUNCTION count_new_jobs();

-- +goose StatementBegin
CREATE FUNCTION count_moved_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_counts AS counts (company_id, span, status, start, count)
    SELECT new.company_id, spans.span, moved.status, spans.start, moved.step
    FROM (VALUES (old.status, -1), (new.status, 1)) AS moved (status, step), (VALUES
        ('all', '-infinity'),
        ('month', date_trunc('month', new.created_at, 'UTC')),
        ('hour', date_trunc('hour', new.created_at, 'UTC'))
    ) AS spans (span, start)
    ORDER BY spans.span, moved.status, spans.start
    ON CONFLICT (company_id, span, status, start) DO UPDATE SET count = counts.count + excluded.count;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER jobs_count_moved AFTER UPDATE OF status ON jobs
    FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION count_moved_job();

-- +goose Down
DROP TABLE job_counts;
DROP TABLE job_keys;
DROP TABLE jobs;
DROP FUNCTION count_moved_job;
DROP FUNCTION count_new_jobs;
