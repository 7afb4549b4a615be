-- name: CreateCompany :one
-- Adds a company and counts it. No row means that the slug is taken. A taken external id violates
-- companies_external_id. Index: companies_slug, companies_external_id, company_totals_pkey.
WITH created AS (
    INSERT INTO companies (
        id, app_id, external_id, name, slug, tagline, description, location, website, industry, employee_count,
        founded, logo, banner, socials, published, verified, created_at, updated_at
    ) VALUES (
        @id, @app_id, sqlc.narg('external_id'), @name, @slug, '', @description, @location, @website, @industry, @employee_count,
        '', @logo, '', '{}', false, false, @created_at, @created_at
    )
    ON CONFLICT (slug) DO NOTHING
    RETURNING *
), counted AS (
    INSERT INTO company_totals (app_id, total)
    SELECT created.app_id, 1 FROM created
    ON CONFLICT (app_id) DO UPDATE SET total = company_totals.total + 1
)
SELECT created.slug FROM created;

-- name: CreateNumberedCompany :one
-- Like CreateCompany, but the slug ends in the next number of the stem's series. The row of the
-- series is locked until the company is committed, so that each number is used once. A violation of
-- companies_external_id reverts the series. No row means that a company outside the series has the
-- slug: the series keeps this number, and the next call takes a later one. Index: slug_series_pkey
-- and the indexes of CreateCompany.
WITH numbered AS (
    INSERT INTO slug_series AS series (stem, last) VALUES (@stem, 1 + @step::bigint)
    ON CONFLICT (stem) DO UPDATE SET last = series.last + @step::bigint
    RETURNING series.stem || '-' || series.last AS slug
), created AS (
    INSERT INTO companies (
        id, app_id, external_id, name, slug, tagline, description, location, website, industry, employee_count,
        founded, logo, banner, socials, published, verified, created_at, updated_at
    )
    SELECT
        @id, @app_id, sqlc.narg('external_id'), @name, numbered.slug, '', @description, @location, @website, @industry, @employee_count,
        '', @logo, '', '{}', false, false, @created_at, @created_at
    FROM numbered
    ON CONFLICT (slug) DO NOTHING
    RETURNING *
), counted AS (
    INSERT INTO company_totals (app_id, total)
    SELECT created.app_id, 1 FROM created
    ON CONFLICT (app_id) DO UPDATE SET total = company_totals.total + 1
)
SELECT created.slug FROM created;

-- name: CompanyByID :one
-- Index: companies_pkey.
SELECT sqlc.embed(companies) FROM companies WHERE id = @id;

-- name: CompanyByExternalID :one
-- Index: companies_external_id.
SELECT sqlc.embed(companies) FROM companies WHERE app_id = @app_id AND external_id = @external_id::text;

-- name: CompanyIsManaged :one
-- Reports whether the app manages the company. Index: companies_pkey.
SELECT EXISTS (SELECT FROM companies WHERE id = @id AND app_id = @app_id);

-- name: SlugIsTaken :one
-- Index: companies_slug.
SELECT EXISTS (SELECT FROM companies WHERE slug = @slug);

-- name: ListCompanies :many
-- Lists a page near the top of an app's companies, newest first, with their total from the same
-- snapshot. Index: companies_by_app, company_totals_pkey.
SELECT
    sqlc.embed(companies),
    (SELECT total FROM company_totals WHERE company_totals.app_id = @app_id)::integer AS total
FROM companies
WHERE companies.app_id = @app_id
ORDER BY created_at DESC, id DESC
LIMIT @size OFFSET @skip;

-- name: ListCompaniesFarDown :many
-- Lists a page far from the top. The preceding rows are skipped with an index-only scan. The
-- planner assumes that a page is a tenth of the table and would read the whole table; the lateral
-- join prevents that. Index: companies_by_app, companies_pkey.
SELECT sqlc.embed(companies)
FROM (
    SELECT id FROM companies AS passed
    WHERE passed.app_id = @app_id
    ORDER BY passed.created_at DESC, passed.id DESC
    LIMIT @size OFFSET @skip
) AS page
CROSS JOIN LATERAL (SELECT * FROM companies AS one WHERE one.id = page.id OFFSET 0) AS companies
ORDER BY companies.created_at DESC, companies.id DESC;

-- name: CompanyTotal :one
-- Index: company_totals_pkey.
SELECT coalesce((SELECT total FROM company_totals WHERE app_id = @app_id), 0)::integer;

-- name: UpdateCompany :one
-- Replaces the fields whose parameters are not null, and merges the links. It is one statement, so
-- that concurrent changes of different fields do not overwrite each other. app_id is null for
-- internal teams, who can change every company. updated_at increases with each change, by a
-- millisecond if the writer's clock is behind. Index: companies_pkey.
UPDATE companies SET
    name           = coalesce(sqlc.narg('name'), name),
    tagline        = coalesce(sqlc.narg('tagline'), tagline),
    description    = coalesce(sqlc.narg('description'), description),
    location       = coalesce(sqlc.narg('location'), location),
    website        = coalesce(sqlc.narg('website'), website),
    industry       = coalesce(sqlc.narg('industry'), industry),
    employee_count = coalesce(sqlc.narg('employee_count'), employee_count),
    logo           = coalesce(sqlc.narg('logo'), logo),
    founded        = coalesce(sqlc.narg('founded'), founded),
    banner         = coalesce(sqlc.narg('banner'), banner),
    published      = coalesce(sqlc.narg('published'), published),
    verified       = coalesce(sqlc.narg('verified'), verified),
    socials        = (socials || @added_socials::jsonb) - @removed_socials::text[],
    updated_at     = greatest(@updated_at, updated_at + interval '1 millisecond')
WHERE id = @id
  AND (sqlc.narg('app_id')::text IS NULL OR app_id = sqlc.narg('app_id'))
  AND (sqlc.narg('slug')::text IS NULL OR slug = sqlc.narg('slug'))
  AND (sqlc.narg('external_id')::text IS NULL OR external_id = sqlc.narg('external_id'))
  AND (NOT @no_external_id::boolean OR external_id IS NULL)
RETURNING sqlc.embed(companies);
