-- +goose Up

-- Both are trusted: the owner of the database may install them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Applications to jobs: what a row of a list shows. Empty text means none.
CREATE TABLE applications (
    id             text          PRIMARY KEY,
    -- Job, its company and the app that manages the company, as service
    -- partnercatalog had them at the moment of applying; none of them changes.
    job_id         text          NOT NULL,
    company_id     text          NOT NULL,
    app_id         text          NOT NULL,
    person_id      text          NOT NULL REFERENCES profiles,
    status         text          NOT NULL,
    applied_at     timestamptz   NOT NULL,
    -- When the stage last changed: the last of history_at.
    updated_at     timestamptz   NOT NULL,
    source         text          NOT NULL,
    -- Answers to the job's questions, in the versioned form of package application.
    answers        jsonb         NOT NULL,
    -- Stages and when they were reached, oldest first; both of one length.
    history_status text[]        NOT NULL,
    history_at     timestamptz[] NOT NULL,
    -- The CV that was submitted, by name; null when a file was.
    cv_id          text,
    cv_title       text,
    cv_updated_at  timestamptz,
    CHECK (cardinality(history_status) = cardinality(history_at)),
    CHECK ((cv_id IS NULL) = (cv_title IS NULL) AND (cv_id IS NULL) = (cv_updated_at IS NULL))
);

-- One application per person and job, at any concurrency (decision 35).
CREATE UNIQUE INDEX applications_once ON applications (person_id, job_id);

-- Pages of a job's applications, newest first, of all stages and of one. With the
-- id in them, the rows before a page are passed over without reading the table.
CREATE INDEX applications_by_job ON applications (job_id, applied_at DESC, id DESC);
CREATE INDEX applications_by_job_and_status ON applications (job_id, status, applied_at DESC, id DESC);

-- What of an application only its full detail shows. Apart, so that lists read
-- narrow rows.
CREATE TABLE submissions (
    application_id text        PRIMARY KEY REFERENCES applications,
    -- Empty for none.
    cover_letter   text        NOT NULL,
    -- When the submitted CV was made, and its content at the moment of applying, as
    -- profiles.content; null when a file was submitted.
    cv_created_at  timestamptz,
    cv_content     jsonb,
    CHECK ((cv_created_at IS NULL) = (cv_content IS NULL))
);

-- What `query` searches (decision 36). Apart from applications, so that a stage
-- that changes does not touch the trigrams: no indexed column is written then,
-- and the new row finds room beside the old one (HOT).
CREATE TABLE application_search (
    application_id text        PRIMARY KEY REFERENCES applications,
    job_id         text        NOT NULL,
    person_id      text        NOT NULL,
    status         text        NOT NULL,
    applied_at     timestamptz NOT NULL,
    -- Name, e-mail and CV title, folded by package application, a line each.
    search_text    text        NOT NULL
) WITH (fillfactor = 80);

-- Finds the applications of a job by any part of the text. Every search also reads
-- what was inserted since the last merge, so that is kept short.
CREATE INDEX application_search_text ON application_search USING gin (job_id, search_text gin_trgm_ops)
    WITH (gin_pending_list_limit = 512);
-- Walks those of a job, newest first, when a text that is asked for is in many of
-- them.
CREATE INDEX application_search_job ON application_search (job_id, applied_at DESC, application_id DESC);
-- Rewrites those of a person whose name or e-mail changes.
CREATE INDEX application_search_person ON application_search (person_id);

-- How many applications a job has in a stage; the status '' stands for all. Kept
-- with the rows, so that no list counts them.
CREATE TABLE application_totals (
    job_id text    NOT NULL,
    status text    NOT NULL,
    count  integer NOT NULL,
    PRIMARY KEY (job_id, status)
);

-- The same by the hour of applied_at, so that a page far inside a list is found
-- without reading what lies before it.
CREATE TABLE application_counts (
    job_id text        NOT NULL,
    status text        NOT NULL,
    hour   timestamptz NOT NULL,
    count  integer     NOT NULL,
    PRIMARY KEY (job_id, status, hour)
);

-- Totals that service partnercatalog has not confirmed yet. Written with the
-- application, deleted after its answer.
CREATE TABLE application_count_outbox (
    job_id       text        PRIMARY KEY,
    -- Applications to the job so far; only ever grows.
    count        integer     NOT NULL,
    -- Until when the row is left to the worker that took it.
    leased_until timestamptz NOT NULL
);

-- Finds what nobody is sending.
CREATE INDEX application_count_outbox_due ON application_count_outbox (leased_until);

-- +goose Down
DROP TABLE application_count_outbox;
DROP TABLE application_counts;
DROP TABLE application_totals;
DROP TABLE application_search;
DROP TABLE submissions;
DROP TABLE applications;
