-- +goose Up

-- Exports of all data of a person (behaviour: account-data#taking-a-copy). There is no foreign
-- key: a person without a profile has data too, in service auth. The bytes are in the bucket,
-- at a key that is made of the ids.
CREATE TABLE exports (
    id           text        PRIMARY KEY,
    person_id    text        NOT NULL,
    -- Language of the mail that tells when it is ready.
    language     text        NOT NULL,
    requested_at timestamptz NOT NULL,
    -- being_made, ready, failed; removed once the bytes are gone or about to go.
    state        text        NOT NULL CHECK (state IN ('being_made', 'ready', 'failed', 'removed')),
    -- When a worker does what comes next. One that works on it moves this ahead with each step,
    -- so that no other takes it meanwhile, and another does soon if it dies.
    due_at       timestamptz NOT NULL,
    -- How often its making was begun. The number tells a worker that it has lost the export.
    attempts     integer     NOT NULL DEFAULT 0,
    -- Progress of its making.
    done         integer     NOT NULL DEFAULT 0,
    steps        integer     NOT NULL DEFAULT 0,
    -- In bytes, and until when it can be downloaded; of one that is ready.
    size         bigint      NOT NULL DEFAULT 0,
    expires_at   timestamptz,
    -- Whether the person was told.
    announced    boolean     NOT NULL DEFAULT false,
    CHECK ((state = 'ready') <= (expires_at IS NOT NULL))
);

-- One at a time for each person, at any concurrency.
CREATE UNIQUE INDEX exports_being_made ON exports (person_id) WHERE state = 'being_made';
-- Lists those of a person, newest first.
CREATE INDEX exports_by_person ON exports (person_id, requested_at DESC, id DESC);
-- Finds those with something to do.
CREATE INDEX exports_due ON exports (due_at);

-- Finds the resumes of a person, for an export and for the deletion of the account.
CREATE INDEX resumes_by_person ON resumes (person_id, id);

-- +goose Down
DROP INDEX resumes_by_person;
DROP TABLE exports;
