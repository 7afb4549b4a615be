-- +goose Up

-- The schema of candidate: profiles and CVs, applications and their search, exports, events
-- for the audit log. Empty text means none.

-- Both are trusted: the owner of the database may install them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Profiles of persons, each with the main CV in it.
CREATE TABLE profiles (
    -- Person id, from service auth.
    person_id         text        PRIMARY KEY,
    email             text        NOT NULL,
    email_verified    boolean     NOT NULL,
    name              text        NOT NULL,
    username          text        NOT NULL,
    headline          text        NOT NULL,
    locale            text        NOT NULL,
    -- An URL, or 'data:image/jpeg;base64,' if the image is in photos.
    avatar_url        text        NOT NULL,
    uae_pass_verified boolean     NOT NULL,
    open_to_work      boolean     NOT NULL,
    profile_public    boolean     NOT NULL,
    phone             text        NOT NULL,
    address           text        NOT NULL,
    -- YYYY-MM-DD.
    date_of_birth     text        NOT NULL,
    gender            text        NOT NULL,
    marital_status    text        NOT NULL,
    nationality       text        NOT NULL,
    residence         text        NOT NULL,
    visa_residency    text        NOT NULL,
    national_service  text        NOT NULL,
    dependents        text        NOT NULL,
    -- The sections of the main CV, in the versioned form of package cv.
    content           jsonb       NOT NULL,
    -- Whether content makes a CV; derived from it at each write.
    has_main_cv       boolean     NOT NULL,
    -- Number of rows in cvs; kept with them, to bound it without counting.
    cv_count          integer     NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL,
    -- When the profile, and with it the main CV, was last written.
    updated_at        timestamptz NOT NULL,
    -- Counts the writes. A save carries the version of what it was made from, and is refused
    -- if there is a newer one.
    version           bigint      NOT NULL DEFAULT 1,
    -- The template that the PDF of the main CV is laid out in (behaviour: pdf#templates).
    cv_template       text        NOT NULL DEFAULT 'classic'
);

-- Handles are unique in any case; finds a profile by its handle.
CREATE UNIQUE INDEX profiles_username ON profiles (lower(username)) WHERE username <> '';

-- CVs of a person other than the main one.
CREATE TABLE cvs (
    id         text        PRIMARY KEY,
    person_id  text        NOT NULL REFERENCES profiles,
    title      text        NOT NULL,
    -- As in profiles, these three.
    content    jsonb       NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version    bigint      NOT NULL DEFAULT 1,
    template   text        NOT NULL DEFAULT 'classic'
);

-- Lists the CVs of a person, newest first.
CREATE INDEX cvs_by_person ON cvs (person_id, created_at DESC, id DESC);

-- A trigger counts versions, so that no statement forgets to. It fires for statements that set
-- updated_at, as every write does that a person could see: counting CVs changes nothing that
-- somebody has typed.
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

-- The photos that people gave inline, a row each. While avatar_url is anything but
-- 'data:image/jpeg;base64,', a row here is left over and means nothing.
CREATE TABLE photos (
    person_id text  PRIMARY KEY REFERENCES profiles,
    -- A JPEG of at most 512 pixels and less than 100 KiB, made by package picture.
    jpeg      bytea NOT NULL
);
-- A JPEG does not get smaller, so Postgres need not try.
ALTER TABLE photos ALTER COLUMN jpeg SET STORAGE EXTERNAL;

-- What people have written in a form and not saved, by the CV: 'master' for the profile
-- (behaviour: profiles#autosave). No app and no page for others reads it.
CREATE SEQUENCE draft_revisions;
CREATE TABLE drafts (
  person_id text NOT NULL,
  document text NOT NULL,
  -- The names and values of the form, as a browser sends them.
  form text NOT NULL,
  -- The version of what the form was made from.
  version bigint NOT NULL,
  -- Another number after each write.
  revision bigint NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, document)
);

-- Handles that a profile had until recently, by SHA-256 of their lower case: nobody else gets
-- one before free_at (behaviour: profiles#handles). The person is empty after a deletion.
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
    -- Job, its company and the app that manages the company, as service
    -- partnercatalog had them at the time of applying; none of them changes.
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
    -- The number of the application in the search.
    number         bigint        NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
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
    -- When the submitted CV was made, and its content at the time of applying, as
    -- profiles.content; null if a file was submitted.
    cv_created_at  timestamptz,
    cv_content     jsonb,
    CHECK ((cv_created_at IS NULL) = (cv_content IS NULL))
);

-- Files that people uploaded in place of a CV; their bytes are in the bucket.
CREATE TABLE resumes (
    id             text        PRIMARY KEY,
    person_id      text        NOT NULL REFERENCES profiles,
    -- Empty for none.
    filename       text        NOT NULL,
    -- Detected from the content.
    content_type   text        NOT NULL,
    -- In bytes.
    size           integer     NOT NULL,
    -- Where the bytes are in the bucket.
    blob_key       text        NOT NULL,
    -- Whether all bytes are stored. The row is written before the bytes and deleted after
    -- them, so that no crash leaves bytes that no row names.
    ready          boolean     NOT NULL,
    -- The application that it was submitted with; null until then.
    application_id text        UNIQUE REFERENCES applications DEFERRABLE INITIALLY DEFERRED,
    created_at     timestamptz NOT NULL
);

-- Finds resumes that were never submitted, oldest first, for the cleaner.
CREATE INDEX resumes_unclaimed ON resumes (created_at) WHERE application_id IS NULL;
-- Finds the resumes of a person, for an export and for the deletion of the account.
CREATE INDEX resumes_by_person ON resumes (person_id, id);

-- The numbers, in the search, of the jobs that have applications. A job gets its row
-- with its first application. Rows never change.
CREATE TABLE job_numbers (
    job_id text   PRIMARY KEY,
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE
);

-- What `query` searches (behaviour: applications#search). A table of its own, so that a
-- change of stage does not touch the trigrams: it writes no indexed column, and the new
-- row stays in the page of the old one (HOT). The hits of a text are counted by reading all of
-- them, so rows are narrow: they name applications and jobs by number, and are counted in half
-- the time. Texts are compared byte by byte.
CREATE TABLE application_search (
    -- applications.number.
    application bigint      PRIMARY KEY REFERENCES applications (number),
    -- job_numbers.number.
    job         bigint      NOT NULL,
    -- As in applications.
    applied_at  timestamptz NOT NULL,
    status      text        COLLATE "C" NOT NULL,
    -- Name, email and CV title, folded by package application, a line each.
    search_text text        COLLATE "C" NOT NULL
) WITH (fillfactor = 90, autovacuum_analyze_scale_factor = 0.02);
-- The plan of a search depends on the number of rows of the job. Few of many jobs are
-- large, so the statistics cover more jobs than the usual hundred, and are taken more
-- often.
ALTER TABLE application_search ALTER COLUMN job SET STATISTICS 1000;

-- Finds the applications of a job by any part of the text. Every search also reads the
-- entries that were inserted since the last merge, so that list is kept short.
CREATE INDEX application_search_text ON application_search USING gin (job, search_text gin_trgm_ops)
    WITH (gin_pending_list_limit = 512);
-- Walks through those of a job, newest first, for a text that many of them have. Finds
-- all of them for a text that is too short for trigrams.
CREATE INDEX application_search_job ON application_search (job, applied_at DESC);

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

-- Exports of all data of a person (behaviour: account-data#taking-a-copy). There is no foreign
-- key: a person without a profile has data too, in service auth. The bytes are in the bucket,
-- at a key that is made of the ids.
CREATE TABLE exports (
    id           text        PRIMARY KEY,
    person_id    text        NOT NULL,
    -- Language of the email that announces it.
    language     text        NOT NULL,
    requested_at timestamptz NOT NULL,
    -- being_made, ready, failed; removed once the bytes are gone or about to go.
    state        text        NOT NULL CHECK (state IN ('being_made', 'ready', 'failed', 'removed')),
    -- When a worker does what comes next. One that works on it moves this ahead with each step,
    -- so that no other takes it at the same time, and another does soon if it dies.
    due_at       timestamptz NOT NULL,
    -- How often its making was begun. The number tells a worker that it has lost the export.
    attempts     integer     NOT NULL DEFAULT 0,
    -- Progress of its making.
    done         integer     NOT NULL DEFAULT 0,
    steps        integer     NOT NULL DEFAULT 0,
    -- In bytes, and until when it can be downloaded; of one that is ready.
    size         bigint      NOT NULL DEFAULT 0,
    expires_at   timestamptz,
    -- Whether the person received the email.
    announced    boolean     NOT NULL DEFAULT false,
    CHECK ((state = 'ready') <= (expires_at IS NOT NULL))
);

-- One at a time for each person, at any concurrency.
CREATE UNIQUE INDEX exports_being_made ON exports (person_id) WHERE state = 'being_made';
-- Lists those of a person, newest first.
CREATE INDEX exports_by_person ON exports (person_id, requested_at DESC, id DESC);
-- Finds those with something to do.
CREATE INDEX exports_due ON exports (due_at);

-- Events of the audit log that auth, which keeps the log, has not confirmed. An event is
-- written in the transaction of the change, or before the answer, and deleted after auth
-- has stored it. event is an audit.Event of pkg/audit as JSON.
CREATE TABLE audit_outbox (
  id text PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  event jsonb NOT NULL,
  -- When auth refused it; it then waits for an operator, and no longer for the job.
  refused_at timestamptz
);
CREATE INDEX audit_outbox_at ON audit_outbox (at, id) WHERE refused_at IS NULL;
