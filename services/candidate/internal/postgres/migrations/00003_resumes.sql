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
    -- Whether the bytes are there, all of them. The row comes before them and goes
    -- after them, so that no crash leaves bytes that nothing names.
    ready          boolean     NOT NULL,
    -- The one application that it was submitted with; null until then.
    application_id text        UNIQUE REFERENCES applications DEFERRABLE INITIALLY DEFERRED,
    created_at     timestamptz NOT NULL
);

-- Finds what was never submitted, oldest first, to remove it.
CREATE INDEX resumes_unclaimed ON resumes (created_at) WHERE application_id IS NULL;

-- +goose Down
DROP TABLE resumes;
