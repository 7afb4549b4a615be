-- +goose Up

-- Both are trusted: the owner of the database may install them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Applications to jobs, with the columns that lists show. Empty text means none.
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
    -- The submitted CV without its content; null if a file was submitted.
    cv_id          text,
    cv_title       text,
    cv_updated_at  timestamptz,
    CHECK (cardinality(history_status) = cardinality(history_at)),
    CHECK ((cv_id IS NULL) = (cv_title IS NULL) AND (cv_id IS NULL) = (cv_updated_at IS NULL))
);

-- One application per person and job, at any concurrency
-- (behaviour: applications#applying).
CREATE UNIQUE INDEX applications_once ON applications (person_id, job_id);

-- Pages of a job's applications, newest first, of all stages and of one. With the
-- id in them, the rows before a page are passed over without reading the table.
CREATE INDEX applications_by_job ON applications (job_id, applied_at DESC, id DESC);
CREATE INDEX applications_by_job_and_status ON applications (job_id, status, applied_at DESC, id DESC);

-- The columns of an application that only its full detail shows. A table of its own, so
-- that lists read narrow rows.
CREATE TABLE submissions (
    application_id text        PRIMARY KEY REFERENCES applications,
    -- Empty for none.
    cover_letter   text        NOT NULL,
    -- When the submitted CV was made, and its content at the moment of applying, as
    -- profiles.content; null if a file was submitted.
    cv_created_at  timestamptz,
    cv_content     jsonb,
    CHECK ((cv_created_at IS NULL) = (cv_content IS NULL))
);

-- What `query` searches (behaviour: applications#search). A table of its own, so that a
-- change of stage does not touch the trigrams: it writes no indexed column, and the new
-- row finds room beside the old one (HOT).
CREATE TABLE application_search (
    application_id text        PRIMARY KEY REFERENCES applications,
    job_id         text        NOT NULL,
    person_id      text        NOT NULL,
    status         text        NOT NULL,
    applied_at     timestamptz NOT NULL,
    -- Name, e-mail and CV title, folded by package application, a line each.
    search_text    text        NOT NULL
) WITH (fillfactor = 80);

-- Finds the applications of a job by any part of the text. Every search also reads the
-- entries that were inserted since the last merge, so that list is kept short.
CREATE INDEX application_search_text ON application_search USING gin (job_id, search_text gin_trgm_ops)
    WITH (gin_pending_list_limit = 512);
-- Walks through those of a job, newest first, for a text that many of them have.
CREATE INDEX application_search_job ON application_search (job_id, applied_at DESC, application_id DESC);
-- Finds those of a person whose name or e-mail address changes.
CREATE INDEX application_search_person ON application_search (person_id);

-- The number of applications of a job in a stage; the status '' stands for all. It is
-- changed together with the rows, so that no list counts them.
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
    -- Number of applications to the job so far. It only grows.
    count        integer     NOT NULL,
    -- End of the lease of the worker that is sending the row.
    leased_until timestamptz NOT NULL
);

-- Finds totals that nobody is sending.
CREATE INDEX application_count_outbox_due ON application_count_outbox (leased_until);

-- +goose Down
DROP TABLE application_count_outbox;
DROP TABLE application_counts;
DROP TABLE application_totals;
DROP TABLE application_search;
DROP TABLE submissions;
DROP TABLE applications;
