-- name: ListRequests :many
-- Index: request_log_account. Postgres reads the partitions from the newest on, and
-- stops when the page is full.
SELECT sqlc.embed(request_log) FROM request_log
WHERE account_id = @account_id AND at >= @since AND at <= @before_at AND (at, request_id) < (@before_at, @before_id::text)
ORDER BY at DESC, request_id DESC
LIMIT @at_most;

-- name: ListFacetDays :many
-- Indexes: request_facets_pkey, request_facet_days_pkey. Gives the facets whose newest
-- request that may be in a page is among the at_most newest of all facets. The page holds
-- no requests of others, since as many requests are newer than theirs. How far a facet
-- reaches beyond the place where the page begins is not known, so there it counts as
-- the newest.
SELECT d.day, d.facet, least(d.last_at, @before_at::timestamptz)::timestamptz AS last_at
FROM request_facets f JOIN request_facet_days d ON d.facet = f.facet
WHERE f.account_id = @account_id AND (@app_id::text = '' OR f.app_id = @app_id) AND (@any_key::boolean OR f.api_key_id = @api_key_id)
  AND f.status BETWEEN @from_status AND @to_status AND (@error_code::text = '' OR f.error_code = @error_code)
  AND (@method::text = '' OR f.method = @method) AND (@route::text = '' OR f.route = @route)
  AND d.day BETWEEN @from_day AND @to_day AND d.first_at <= @before_at AND d.last_at >= @since
ORDER BY 3 DESC
FETCH FIRST (@at_most::integer) ROWS WITH TIES;

-- name: ListRequestsOfFacets :many
-- Index: request_log_facet. since and until are of one day, so that Postgres plans for one
-- partition.
SELECT r.* FROM unnest(@facets::bigint[]) AS wanted (facet) CROSS JOIN LATERAL (
  SELECT * FROM request_log l
  WHERE request_facet(l.account_id, l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code, l.refused_by) = wanted.facet
    AND l.at >= @since AND l.at <= @until AND (l.at, l.request_id) < (@before_at, @before_id::text) AND l.account_id || '' = @account_id
  ORDER BY l.at DESC, l.request_id DESC
  LIMIT @at_most
) r
ORDER BY r.at DESC, r.request_id DESC
LIMIT @at_most;

-- name: ListRequestsOfRareResource :many
-- Index: request_log_resource. Gives at most so many requests of each day, in no order that
-- means anything. A day of which there are fewer is whole. The order has Postgres read the
-- index of each day.
SELECT r.* FROM (SELECT unnest(@days::date[]) AS day) wanted CROSS JOIN LATERAL (
  SELECT * FROM request_log l
  WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> ''
    AND l.at >= wanted.day::timestamp AT TIME ZONE 'UTC' AND l.at < (wanted.day + 1)::timestamp AT TIME ZONE 'UTC'
    AND l.account_id || '' = @account_id AND l.resource_id = @resource_id
  ORDER BY ~request_facet(l.account_id, l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code, l.refused_by)
  LIMIT @of_day
) r
ORDER BY r.at DESC, r.request_id DESC;

-- name: ListRequestsOfResourceFacets :many
-- Index: request_log_resource. The requests of facets on days, of one resource.
SELECT r.* FROM (SELECT unnest(@facets::bigint[]) AS facet, unnest(@days::date[]) AS day) wanted CROSS JOIN LATERAL (
  SELECT * FROM request_log l
  WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> ''
    AND ~request_facet(l.account_id, l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code, l.refused_by) = ~wanted.facet
    AND l.at >= wanted.day::timestamp AT TIME ZONE 'UTC' AND l.at < (wanted.day + 1)::timestamp AT TIME ZONE 'UTC'
    AND l.at >= @since AND (l.at, l.request_id) < (@before_at, @before_id::text)
    AND l.account_id || '' = @account_id AND l.resource_id = @resource_id
  ORDER BY l.at DESC, l.request_id DESC
  LIMIT @at_most
) r
ORDER BY r.at DESC, r.request_id DESC
LIMIT @at_most;

-- name: ListRequestsOfResource :many
-- Indexes: request_log_resource, request_facets_pkey. since and until are of one day. It
-- steps from facet to facet of the resource, and reads the newest requests of those that
-- match.
WITH RECURSIVE held AS (
  (SELECT ~request_facet(l.account_id, l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code, l.refused_by) AS facet
   FROM request_log l
   WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> '' AND l.at >= @since AND l.at <= @until
   ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT (SELECT ~request_facet(l.account_id, l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code, l.refused_by)
    FROM request_log l
    WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> '' AND l.at >= @since AND l.at <= @until
      AND ~request_facet(l.account_id, l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code, l.refused_by) > h.facet
    ORDER BY 1 LIMIT 1)
  FROM held h WHERE h.facet IS NOT NULL
), wanted AS MATERIALIZED (
  SELECT f.facet FROM held h JOIN request_facets f ON f.facet = ~h.facet
  WHERE f.account_id = @account_id AND (@app_id::text = '' OR f.app_id = @app_id) AND (@any_key::boolean OR f.api_key_id = @api_key_id)
  AND f.status BETWEEN @from_status AND @to_status AND (@error_code::text = '' OR f.error_code = @error_code)
  AND (@method::text = '' OR f.method = @method) AND (@route::text = '' OR f.route = @route)
)
SELECT r.* FROM wanted CROSS JOIN LATERAL (
  SELECT * FROM request_log l
  WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> ''
    AND ~request_facet(l.account_id, l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code, l.refused_by) = ~wanted.facet
    AND l.at >= @since AND l.at <= @until AND (l.at, l.request_id) < (@before_at, @before_id::text) AND l.account_id || '' = @account_id AND l.resource_id = @resource_id
  ORDER BY l.at DESC, l.request_id DESC
  LIMIT @at_most
) r
ORDER BY r.at DESC, r.request_id DESC
LIMIT @at_most;

-- name: ListRequestsByScan :many
-- Index: request_log_account. For days without facets.
SELECT sqlc.embed(request_log) FROM request_log
WHERE account_id = @account_id AND at >= @since AND at <= @before_at AND (at, request_id) < (@before_at, @before_id::text)
  AND (@app_id::text = '' OR app_id = @app_id) AND (@any_key::boolean OR api_key_id = @api_key_id)
  AND status BETWEEN @from_status AND @to_status AND (@error_code::text = '' OR error_code = @error_code)
  AND (@method::text = '' OR method = @method) AND (@route::text = '' OR route = @route)
  AND (@resource_id::text = '' OR resource_id = @resource_id)
ORDER BY at DESC, request_id DESC
LIMIT @at_most;

-- name: GetRequest :one
-- Index: request_log_account.
SELECT sqlc.embed(request_log) FROM request_log
WHERE account_id = @account_id AND at >= @from_at AND at <= @to_at AND request_id = @request_id;
