-- +goose Up

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

-- +goose Down
DROP TABLE resumes;
