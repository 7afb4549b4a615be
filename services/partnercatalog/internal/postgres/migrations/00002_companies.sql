-- +goose Up

-- Companies of employers. Empty text means none.
CREATE TABLE companies (
    id             text        PRIMARY KEY,
    -- App that made the company, and alone manages it.
    app_id         text        NOT NULL,
    -- The app's own identifier; null when it gave none.
    external_id    text,
    name           text        NOT NULL,
    -- Segment of the career page's URL; never changes.
    slug           text        NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,64}$'),
    tagline        text        NOT NULL,
    description    text        NOT NULL,
    location       text        NOT NULL,
    website        text        NOT NULL,
    industry       text        NOT NULL,
    -- Size band, for example 51-200.
    employee_count text        NOT NULL,
    -- YYYY-MM-DD.
    founded        text        NOT NULL,
    logo           text        NOT NULL,
    banner         text        NOT NULL,
    -- Links by platform: {"linkedin": "https://…"}. A link that is not there has no key.
    socials        jsonb       NOT NULL,
    published      boolean     NOT NULL,
    verified       boolean     NOT NULL,
    -- Both cut to the millisecond, which is what answers show: lists are in the
    -- order that their reader sees.
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT companies_slug UNIQUE (slug),
    CONSTRAINT companies_external_id UNIQUE (app_id, external_id)
);

-- Lists the companies of an app, newest first.
CREATE INDEX companies_by_app ON companies (app_id, created_at DESC, id DESC);

-- How many companies an app has, kept in the transactions that make them, so
-- that a list has its total without counting.
CREATE TABLE company_totals (
    app_id text    PRIMARY KEY,
    total  integer NOT NULL
);

-- The last number that was tried behind a slug that many names give: after
-- acme-2 and acme-3, the row is (acme, 3).
CREATE TABLE slug_series (
    stem text   PRIMARY KEY,
    last bigint NOT NULL
);

-- +goose Down
DROP TABLE slug_series;
DROP TABLE company_totals;
DROP TABLE companies;
