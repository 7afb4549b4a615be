-- +goose Up

-- Companies of employers. Empty text means none.
CREATE TABLE companies (
    id             text        PRIMARY KEY,
    -- The app that made the company. No other app manages it.
    app_id         text        NOT NULL,
    -- The app's own identifier, null if it gave none.
    external_id    text,
    name           text        NOT NULL,
    -- Segment of the career page's URL. It never changes.
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
    -- Links by platform: {"linkedin": "https://…"}. A missing link has no key.
    socials        jsonb       NOT NULL,
    published      boolean     NOT NULL,
    verified       boolean     NOT NULL,
    -- Both are cut to the millisecond, as answers show them, so that the order of a
    -- list agrees with the times in it.
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT companies_slug UNIQUE (slug),
    CONSTRAINT companies_external_id UNIQUE (app_id, external_id)
);

-- Lists the companies of an app, newest first.
CREATE INDEX companies_by_app ON companies (app_id, created_at DESC, id DESC);

-- The number of companies of an app. The transaction that adds a company raises it, so
-- that the total of a list needs no count over the table.
CREATE TABLE company_totals (
    app_id text    PRIMARY KEY,
    total  integer NOT NULL
);

-- The last number that was tried for a slug that several names lead to. After acme-2
-- and acme-3, the row is (acme, 3).
CREATE TABLE slug_series (
    stem text   PRIMARY KEY,
    last bigint NOT NULL
);

-- +goose Down
DROP TABLE slug_series;
DROP TABLE company_totals;
DROP TABLE companies;
