-- +goose Up

-- The schema of partnercatalog: companies, jobs, and events for the audit log. An empty string
-- means that a field is not set. Creation and update times of companies and jobs are truncated to
-- milliseconds, the precision of API responses, so that the order of a list agrees with the times
-- in it.

-- Only the service's own role may use its database.
REVOKE ALL ON SCHEMA public FROM PUBLIC;

CREATE TABLE companies (
    id             text        PRIMARY KEY,
    -- The app that created the company. No other app can manage it.
    app_id         text        NOT NULL,
    -- The app's own identifier for the company, or null if the app set none.
    external_id    text,
    name           text        NOT NULL,
    -- The company's segment in the URL of its career page. It never changes.
    slug           text        NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,64}$'),
    tagline        text        NOT NULL,
    description    text        NOT NULL,
    location       text        NOT NULL,
    website        text        NOT NULL,
    industry       text        NOT NULL,
    -- A size band, for example 51-200.
    employee_count text        NOT NULL,
    -- A date in the form YYYY-MM-DD.
    founded        text        NOT NULL,
    logo           text        NOT NULL,
    banner         text        NOT NULL,
    -- Links by platform, for example {"linkedin": "https://…"}. A platform without a link has no
    -- key.
    socials        jsonb       NOT NULL,
    published      boolean     NOT NULL,
    verified       boolean     NOT NULL,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT companies_slug UNIQUE (slug),
    CONSTRAINT companies_external_id UNIQUE (app_id, external_id)
);

-- Lists the companies of an app, newest first.
CREATE INDEX companies_by_app ON companies (app_id, created_at DESC, id DESC);

-- The number of companies of each app. The transaction that adds a company increments it, so that
-- the total of a list does not require counting rows.
CREATE TABLE company_totals (
    app_id text    PRIMARY KEY,
    total  integer NOT NULL
);

-- The last number that was tried for the slug of companies with similar names. After acme-2 and
-- acme-3, the row is (acme, 3).
CREATE TABLE slug_series (
    stem text   PRIMARY KEY,
    last bigint NOT NULL
);

CREATE TABLE jobs (
    id                    text             PRIMARY KEY,
    company_id            text             NOT NULL REFERENCES companies,
    status                text             NOT NULL CHECK (status IN ('draft', 'active', 'closed', 'archived')),
    title                 text             NOT NULL,
    department            text             NOT NULL,
    country               text             NOT NULL,
    city                  text             NOT NULL,
    work_mode             text             NOT NULL,
    employment            text             NOT NULL,
    seniority             text             NOT NULL,
    summary               text             NOT NULL,
    responsibilities      text[]           NOT NULL,
    requirements          text[]           NOT NULL,
    nice_to_have          text[]           NOT NULL,
    benefits              text[]           NOT NULL,
    salary_min            double precision,
    salary_max            double precision,
    salary_currency       text             NOT NULL,
    -- Empty if the job has no compensation.
    salary_period         text             NOT NULL,
    salary_visible        boolean          NOT NULL,
    -- Either all four columns are set, or all four are empty.
    candidate_location    text             NOT NULL,
    experience_years      text             NOT NULL,
    language              text             NOT NULL,
    work_eligibility      text             NOT NULL,
    -- Empty if the employer did not send this section.
    programme             text             NOT NULL,
    programme_note        text             NOT NULL,
    programme_accepted    boolean          NOT NULL,
    -- The versioned format of EncodeQuestions in package job.
    questions             jsonb            NOT NULL,
    distribution          text             NOT NULL,
    -- Null if the employer did not send this section.
    confidential          boolean,
    public_label          text             NOT NULL,
    application_count     integer          NOT NULL DEFAULT 0,
    -- The time at which the job first went live.
    posted_at             timestamptz,
    created_at            timestamptz      NOT NULL,
    updated_at            timestamptz      NOT NULL,
    -- The distribution to restore when a confidential job stops being confidential
    -- (behaviour: jobs#confidential-jobs). Empty for a job that is not confidential.
    unmasked_distribution text             NOT NULL DEFAULT '',
    CONSTRAINT jobs_masked_employer CHECK (confidential IS NOT TRUE OR distribution = 'tabbio_only'),
    CONSTRAINT jobs_posted CHECK (CASE status WHEN 'draft' THEN posted_at IS NULL WHEN 'archived' THEN true ELSE posted_at IS NOT NULL END)
);

-- Lists the jobs of a company that are not archived, newest first.
CREATE INDEX jobs_by_company ON jobs (company_id, created_at DESC, id DESC) WHERE status <> 'archived';

-- Lists the jobs of a company with one status, newest first.
CREATE INDEX jobs_by_status ON jobs (company_id, status, created_at DESC, id DESC);

-- Idempotency keys, with the jobs to which they are pinned.
CREATE TABLE job_keys (
    company_id text        NOT NULL REFERENCES companies,
    key        text        NOT NULL,
    job_id     text        NOT NULL REFERENCES jobs,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (company_id, key)
);

-- Finds the keys that are old enough to be deleted.
CREATE INDEX job_keys_age ON job_keys (created_at);

-- The number of jobs of each company, by status and by creation time. With these counts, the total
-- of a list does not require counting rows, and a page far down a list is found without scanning
-- the index. The triggers below update the counts in the transaction that changes the job.
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

-- Here and below, rows are locked in the order of the primary key, so that two transactions cannot
-- deadlock.

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

-- Audit events that have not been confirmed by the auth service, which stores the audit log. An
-- event is written in the transaction of the change, or before the response is sent, and deleted
-- after the auth service has stored it. event is an audit.Event of pkg/audit as JSON.
CREATE TABLE audit_outbox (
  id text PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event jsonb NOT NULL,
  -- The time at which auth refused the event. The background job skips a refused event, which waits
  -- for an operator.
  refused_at timestamptz
);
CREATE INDEX audit_outbox_at ON audit_outbox (at, id) WHERE refused_at IS NULL;
