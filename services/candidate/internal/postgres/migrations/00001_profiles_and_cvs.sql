-- +goose Up

-- Profiles of persons, each with the main CV in it. Empty text means none.
CREATE TABLE profiles (
    -- Person id, from service auth.
    person_id         text        PRIMARY KEY,
    email             text        NOT NULL,
    email_verified    boolean     NOT NULL,
    name              text        NOT NULL,
    username          text        NOT NULL,
    headline          text        NOT NULL,
    locale            text        NOT NULL,
    -- An URL, or an inline image of up to 512 KiB.
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
    updated_at        timestamptz NOT NULL
);

-- Handles are unique in any case; finds a profile by its handle.
CREATE UNIQUE INDEX profiles_username ON profiles (lower(username)) WHERE username <> '';

-- CVs beside the main one.
CREATE TABLE cvs (
    id         text        PRIMARY KEY,
    person_id  text        NOT NULL REFERENCES profiles,
    title      text        NOT NULL,
    -- As profiles.content.
    content    jsonb       NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

-- Lists the CVs of a person, newest first.
CREATE INDEX cvs_by_person ON cvs (person_id, created_at DESC, id DESC);

-- +goose Down
DROP TABLE cvs;
DROP TABLE profiles;
