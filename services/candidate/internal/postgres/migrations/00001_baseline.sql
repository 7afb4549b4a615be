-- +goose Up

-- The schema of the candidate service: profiles and CVs, applications and their search, exports,
-- and events for the audit log. In text columns, '' means that there is no value.

-- Both extensions are trusted, so the owner of the database may install them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Profiles of people. A profile contains the main CV.
CREATE TABLE profiles (
    -- The person's id, from the auth service.
    person_id         text        PRIMARY KEY,
    email             text        NOT NULL,
    email_verified    boolean     NOT NULL,
    name              text        NOT NULL,
    username          text        NOT NULL,
    headline          text        NOT NULL,
    locale            text        NOT NULL,
    -- A URL, or 'data:image/jpeg;base64,' if the image is in photos.
    avatar_url        text        NOT NULL,
    uae_pass_verified boolean     NOT NULL,
    open_to_work      boolean     NOT NULL,
    profile_public    boolean     NOT NULL,
    phone             text        NOT NULL,
    address           text        NOT NULL,
    -- In the form YYYY-MM-DD.
    date_of_birth     text        NOT NULL,
    gender            text        NOT NULL,
    marital_status    text        NOT NULL,
    nationality       text        NOT NULL,
    residence         text        NOT NULL,
    visa_residency    text        NOT NULL,
    national_service  text        NOT NULL,
    dependents        text        NOT NULL,
    -- The sections of the main CV, in the versioned format of package cv.
    content           jsonb       NOT NULL,
    -- Whether content is sufficient for a CV. It is derived from content on each write.
    has_main_cv       boolean     NOT NULL,
    -- The number of the person's rows in cvs, stored here to limit it without counting.
    cv_count          integer     NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL,
    -- When the profile, which includes the main CV, was last written.
    updated_at        timestamptz NOT NULL,
    -- Counts the writes. A save carries the version that it is based on, and is rejected if there
    -- is a newer one.
    version           bigint      NOT NULL DEFAULT 1,
    -- The template that lays out the PDF of the main CV (behaviour: pdf#templates).
    cv_template       text        NOT NULL DEFAULT 'classic'
);

-- Makes handles unique regardless of case, and finds a profile by its handle.
CREATE UNIQUE INDEX profiles_username ON profiles (lower(username)) WHERE username <> '';

-- A person's CVs other than the main CV.
CREATE TABLE cvs (
    id         text        PRIMARY KEY,
    person_id  text        NOT NULL REFERENCES profiles,
    title      text        NOT NULL,
    -- The following columns have the same meaning as in profiles.
    content    jsonb       NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version    bigint      NOT NULL DEFAULT 1,
    template   text        NOT NULL DEFAULT 'classic'
);

-- Lists a person's CVs, newest first.
CREATE INDEX cvs_by_person ON cvs (person_id, created_at DESC, id DESC);

-- A trigger counts the versions, so that no statement can forget to. It fires for statements that
-- set updated_at. Every write that a person can notice sets it. Updating the number of CVs does
-- not, because it changes nothing that the person has entered.
-- +goose StatementBegin
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER profiles_count_version BEFORE UPDATE OF updated_at ON profiles
    FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER cvs_count_version BEFORE UPDATE OF updated_at ON cvs
    FOR EACH ROW EXECUTE FUNCTION count_version();

-- Photos that people provided inline, one row per person. If avatar_url is not
-- 'data:image/jpeg;base64,', the row is left over and has no meaning.
CREATE TABLE photos (
    person_id text  PRIMARY KEY REFERENCES profiles,
    -- A JPEG of at most 512 pixels per side and less than 100 KiB, created by package picture.
    jpeg      bytea NOT NULL
);
-- Compression does not make a JPEG smaller, so Postgres does not try it.
ALTER TABLE photos ALTER COLUMN jpeg SET STORAGE EXTERNAL;

-- Unsaved content of forms, by CV. The profile's form has the document 'master'
-- (behaviour: profiles#autosave). Neither apps nor pages for other people read it.
CREATE SEQUENCE draft_revisions;
CREATE TABLE drafts (
  person_id text NOT NULL,
  document text NOT NULL,
  -- The names and values of the form's fields, as a browser sends them.
  form text NOT NULL,
  -- The version that the form is based on.
  version bigint NOT NULL,
  -- A new number after each write.
  revision bigint NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, document)
);

-- Handles that a profile had until recently, as the SHA-256 of their lowercase form. No other
-- person can get such a handle before free_at (behaviour: profiles#handles). person_id is empty
-- after the person has been deleted.
CREATE TABLE released_handles (
  handle bytea PRIMARY KEY,
  person_id text NOT NULL,
  free_at timestamptz NOT NULL
);
CREATE INDEX released_handles_free ON released_handles (free_at);
CREATE INDEX released_handles_person ON released_handles (person_id);

-- Applications to jobs, with the columns that lists show.
CREATE TABLE applications (
    id             text          PRIMARY KEY,
    -- The job, its company and the app that manages the company, as recorded by the partnercatalog
    -- service at the time of the application. None of them changes.
    job_id         text          NOT NULL,
    company_id     text          NOT NULL,
    app_id         text          NOT NULL,
    person_id      text          NOT NULL REFERENCES profiles,
    status         text          NOT NULL,
    applied_at     timestamptz   NOT NULL,
    -- When the stage last changed. It equals the last element of history_at.
    updated_at     timestamptz   NOT NULL,
    source         text          NOT NULL,
    -- Answers to the job's questions, in the versioned format of package application.
    answers        jsonb         NOT NULL,
    -- The stages and the times at which they were reached, oldest first. Both arrays have the same
    -- length.
    history_status text[]        NOT NULL,
    history_at     timestamptz[] NOT NULL,
    -- The submitted CV without its content, or null if a file was submitted.
    cv_id          text,
    cv_title       text,
    cv_updated_at  timestamptz,
    -- The number that identifies the application in application_search.
    number         bigint        NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
    CHECK (cardinality(history_status) = cardinality(history_at)),
    CHECK ((cv_id IS NULL) = (cv_title IS NULL) AND (cv_id IS NULL) = (cv_updated_at IS NULL))
);

-- Allows only one application per person and job, also for concurrent requests
-- (behaviour: applications#applying).
CREATE UNIQUE INDEX applications_once ON applications (person_id, job_id);

-- Finds pages of a job's applications, newest first, for all stages and for one stage. The indexes
-- contain the id, so that rows before the page are skipped without reading the table.
CREATE INDEX applications_by_job ON applications (job_id, applied_at DESC, id DESC);
CREATE INDEX applications_by_job_and_status ON applications (job_id, status, applied_at DESC, id DESC);

-- The columns of an application that only its full detail shows. They are in a separate table, so
-- that lists read narrow rows.
CREATE TABLE submissions (
    application_id text        PRIMARY KEY REFERENCES applications,
    -- '' if there is none.
    cover_letter   text        NOT NULL,
    -- When the submitted CV was created, and its content at the time of the application in the
    -- format of profiles.content. Both are null if a file was submitted.
    cv_created_at  timestamptz,
    cv_content     jsonb,
    CHECK ((cv_created_at IS NULL) = (cv_content IS NULL))
);

-- Files that people uploaded instead of a CV. Their bytes are in the bucket.
CREATE TABLE resumes (
    id             text        PRIMARY KEY,
    person_id      text        NOT NULL REFERENCES profiles,
    -- '' if the file has no name.
    filename       text        NOT NULL,
    -- The content type, detected from the content.
    content_type   text        NOT NULL,
    -- The size in bytes.
    size           integer     NOT NULL,
    -- The key of the bytes in the bucket.
    blob_key       text        NOT NULL,
    -- Whether all bytes are stored. The row is written before the bytes and deleted after them, so
    -- that a crash leaves no bytes without a row.
    ready          boolean     NOT NULL,
    -- The application with which the resume was submitted, or null if it has not been submitted.
    application_id text        UNIQUE REFERENCES applications DEFERRABLE INITIALLY DEFERRED,
    created_at     timestamptz NOT NULL
);

-- Finds resumes that were never submitted, oldest first, for the clean-up job.
CREATE INDEX resumes_unclaimed ON resumes (created_at) WHERE application_id IS NULL;
-- Finds a person's resumes, for exports and for the deletion of the account.
CREATE INDEX resumes_by_person ON resumes (person_id, id);

-- Numbers that identify jobs in application_search. A job gets its row with its first application.
-- Rows never change.
CREATE TABLE job_numbers (
    job_id text   PRIMARY KEY,
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE
);

-- The text that the parameter `query` searches (behaviour: applications#search). It is in a
-- separate table, so that a stage change does not update the trigram index: the update writes no
-- indexed column, and the new row version stays on the same page (HOT). Counting the hits of a
-- search text reads all of them, so rows are narrow. They identify applications and jobs by number,
-- which halves the time to count them. Text is compared byte by byte.
CREATE TABLE application_search (
    -- The application's number (applications.number).
    application bigint      PRIMARY KEY REFERENCES applications (number),
    -- The job's number (job_numbers.number).
    job         bigint      NOT NULL,
    -- Copies of the columns in applications.
    applied_at  timestamptz NOT NULL,
    status      text        COLLATE "C" NOT NULL,
    -- The name, the email address and the CV title, folded by package application, one per line.
    search_text text        COLLATE "C" NOT NULL
) WITH (fillfactor = 90, autovacuum_analyze_scale_factor = 0.02);
-- The plan of a search depends on the number of rows of the job. Only a few of many jobs are large,
-- so the statistics cover more jobs than the default of one hundred and are updated more often.
ALTER TABLE application_search ALTER COLUMN job SET STATISTICS 1000;

-- Finds a job's applications by any part of the search text. Every search also reads the entries
-- inserted since the last merge, so the list of these entries is kept short.
CREATE INDEX application_search_text ON application_search USING gin (job, search_text gin_trgm_ops)
    WITH (gin_pending_list_limit = 512);
-- Walks through a job's applications, newest first, for a search text that many of them contain. It
-- also finds all of them for a search text that is too short for trigrams.
CREATE INDEX application_search_job ON application_search (job, applied_at DESC);

-- The number of applications to a job per stage. The status '' stands for all stages. The numbers
-- are updated together with the applications, so that lists need not count.
CREATE TABLE application_totals (
    job_id text    NOT NULL,
    status text    NOT NULL,
    count  integer NOT NULL,
    PRIMARY KEY (job_id, status)
);

-- The same numbers by the hour of applied_at, so that a page far down a list is found without
-- reading the rows before it.
CREATE TABLE application_counts (
    job_id text        NOT NULL,
    status text        NOT NULL,
    hour   timestamptz NOT NULL,
    count  integer     NOT NULL,
    PRIMARY KEY (job_id, status, hour)
);

-- Totals that the partnercatalog service has not confirmed yet. A row is written together with an
-- application, and deleted when partnercatalog has confirmed it.
CREATE TABLE application_count_outbox (
    job_id       text        PRIMARY KEY,
    -- The number of applications to the job so far. It only grows.
    count        integer     NOT NULL,
    -- When the lease of the worker that is sending the row expires.
    leased_until timestamptz NOT NULL
);

-- Finds totals that no worker is sending.
CREATE INDEX application_count_outbox_due ON application_count_outbox (leased_until);

-- Exports of a person's data (behaviour: account-data#taking-a-copy). There is no foreign key,
-- because a person without a profile also has data, in the auth service. The bytes are in the
-- bucket, under a key derived from the ids.
CREATE TABLE exports (
    id           text        PRIMARY KEY,
    person_id    text        NOT NULL,
    -- The language of the email that announces the export.
    language     text        NOT NULL,
    requested_at timestamptz NOT NULL,
    -- The state is 'removed' once the bytes have been removed or are about to be.
    state        text        NOT NULL CHECK (state IN ('being_made', 'ready', 'failed', 'removed')),
    -- When a worker takes the next step. A worker that is working on the export moves this time
    -- ahead with each step. So no other worker takes the export at the same time, but one does soon
    -- after the worker dies.
    due_at       timestamptz NOT NULL,
    -- How often a worker has started to create the export. The number shows a worker that another
    -- one has taken over the export.
    attempts     integer     NOT NULL DEFAULT 0,
    -- The progress of creating the export.
    done         integer     NOT NULL DEFAULT 0,
    steps        integer     NOT NULL DEFAULT 0,
    -- The size in bytes, and until when a ready export can be downloaded.
    size         bigint      NOT NULL DEFAULT 0,
    expires_at   timestamptz,
    -- Whether the email has been sent to the person.
    announced    boolean     NOT NULL DEFAULT false,
    CHECK ((state = 'ready') <= (expires_at IS NOT NULL))
);

-- Allows only one export in progress per person, also for concurrent requests.
CREATE UNIQUE INDEX exports_being_made ON exports (person_id) WHERE state = 'being_made';
-- Lists a person's exports, newest first.
CREATE INDEX exports_by_person ON exports (person_id, requested_at DESC, id DESC);
-- Finds the exports that need a next step.
CREATE INDEX exports_due ON exports (due_at);

-- Audit events that the auth service, which stores the audit log, has not confirmed yet. An event
-- is written in the transaction of the change, or before the response, and deleted when auth has
-- stored it. event is an audit.Event of pkg/audit as JSON.
CREATE TABLE audit_outbox (
  id text PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event jsonb NOT NULL,
  -- When auth rejected the event. It then waits for an operator, and the job no longer sends it.
  refused_at timestamptz
);
CREATE INDEX audit_outbox_at ON audit_outbox (at, id) WHERE refused_at IS NULL;
