-- name: ListRequests :many
-- Index: request_log_account. Postgres reads the partitions from the newest on, and
-- stops when the page is full.
SELECT sqlc.embed(request_log) FROM request_log
WHERE account_id = @account_id AND at >= @since AND at <= @before_at AND (at, request_id) < (@before_at, @before_id::text)
ORDER BY at DESC, request_id DESC
LIMIT @at_most;

-- name: ListNewestRequests :many
-- Index: request_log_account. Reads the newest requests, no more than "newest", and gives
-- those that match and the last one that was read.
SELECT l.at, l.request_id, l.account_id, l.app_id, l.api_key_id, l.connection_id, l.method, l.route, l.status, l.latency_us, l.bytes, l.metered,
  l.error_code, l.resource_id, l.client_address, l.user_agent, l.minute_left, l.day_left, l.refused_by,
  l.error_message, l.other_faults
FROM (
  SELECT *, row_number() OVER (ORDER BY at DESC, request_id DESC) AS nth FROM request_log
  WHERE account_id = @account_id AND at >= @since AND at <= @before_at AND (at, request_id) < (@before_at, @before_id::text)
  ORDER BY at DESC, request_id DESC
  LIMIT @newest::integer
) l
WHERE l.nth = @newest::integer OR ((@app_id::text = '' OR l.app_id = @app_id::text) AND (@any_key::boolean OR l.api_key_id = @api_key_id::text)
    AND l.status BETWEEN @from_status::integer AND @to_status::integer AND (@error_code::text = '' OR l.error_code = @error_code::text)
    AND (@method::text = '' OR l.method = @method::text) AND (@route::text = '' OR l.route = @route::text)
  AND (@resource_id::text = '' OR l.resource_id = @resource_id::text))
ORDER BY l.at DESC, l.request_id DESC
LIMIT @at_most;

-- name: GetLogIndexes :one
-- Index: none, it reads no table. The first day whose facets are known, and the days whose
-- requests have no index of kinds. Migrations have set both.
SELECT request_facets_since()::date AS facets_since, request_kinds_missing()::date[] AS kinds_missing;

-- name: ListFacets :many
-- Index: request_facets_pkey. The facets that match and were seen since a day. By last_day + 0
-- Postgres cannot use the index of last_day, which has the facets of all accounts.
SELECT f.facet
FROM request_facets f
WHERE f.account_id = @account_id AND f.last_day + 0 >= @from_day AND (@app_id::text = '' OR f.app_id = @app_id::text) AND (@any_key::boolean OR f.api_key_id = @api_key_id::text)
  AND f.status BETWEEN @from_status::integer AND @to_status::integer AND (@error_code::text = '' OR f.error_code = @error_code::text)
  AND (@method::text = '' OR f.method = @method::text) AND (@route::text = '' OR f.route = @route::text);

-- name: ListFacetDays :many
-- Index: request_facet_days_pkey. Gives the facets of the newest days, of each day all or
-- none, until there are at_least.
SELECT d.day, d.facet
FROM request_facet_days d
WHERE d.facet = ANY (@facets::bigint[]) AND d.day BETWEEN @from_day AND @to_day AND d.first_at <= @until AND d.last_at >= @since
ORDER BY d.day DESC
FETCH FIRST (@at_least::integer) ROWS WITH TIES;

-- name: ListRequestsOfFacets :many
-- Index: request_log_facet. The newest requests of facets on days. of_each bounds what is
-- read of a facet and day. So the list ends where one of them may have more.
WITH found AS MATERIALIZED (
  SELECT wanted.day, wanted.facet, r.* FROM (SELECT unnest(@days::date[]) AS day, unnest(@facets::bigint[]) AS facet) wanted CROSS JOIN LATERAL (
    SELECT * FROM request_log l
    WHERE request_facet(l.account_id, l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code, l.refused_by) = wanted.facet
      AND l.at >= wanted.day::timestamp AT TIME ZONE 'UTC' AND l.at < (wanted.day + 1)::timestamp AT TIME ZONE 'UTC'
      AND l.at >= @since AND l.at <= @before_at AND (l.at, l.request_id) < (@before_at, @before_id::text) AND l.account_id || '' = @account_id
    ORDER BY l.at DESC, l.request_id DESC
    LIMIT @of_each::integer
  ) r
), cut AS (
  SELECT n.at, n.request_id
  FROM (SELECT f.at, f.request_id, row_number() OVER (PARTITION BY f.day, f.facet ORDER BY f.at DESC, f.request_id DESC) AS nth FROM found f) n
  WHERE n.nth = @of_each::integer
  ORDER BY n.at DESC, n.request_id DESC LIMIT 1
)
SELECT f.at, f.request_id, f.account_id, f.app_id, f.api_key_id, f.connection_id, f.method, f.route, f.status, f.latency_us, f.bytes, f.metered,
  f.error_code, f.resource_id, f.client_address, f.user_agent, f.minute_left, f.day_left, f.refused_by,
  f.error_message, f.other_faults
FROM found f
WHERE NOT EXISTS (SELECT FROM cut WHERE (f.at, f.request_id) < (cut.at, cut.request_id))
ORDER BY f.at DESC, f.request_id DESC
LIMIT @at_most;

-- name: GetTimeOfFew :one
-- Index: request_log_kinds. The time since which a resource has at_least requests, before a
-- day. It goes from the newest day to the oldest, and no further than to a day with as many as
-- "few" of them. If that is the newest, it gives the end of that day. newer is one less than
-- at_least.
WITH RECURSIVE step AS (
  SELECT @before_day::date AS day, 0::bigint AS requests, 0::bigint AS found, ARRAY[]::timestamptz[] AS times
  UNION ALL
  SELECT s.day - 1, d.requests, s.found + d.requests, d.times
  FROM step s CROSS JOIN LATERAL (
    SELECT count(*) AS requests, array_agg(l.at) AS times FROM (
      SELECT l.at FROM request_log l
      WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> ''
        AND l.at >= (s.day - 1)::timestamp AT TIME ZONE 'UTC' AND l.at < s.day::timestamp AT TIME ZONE 'UTC' AND l.at <= @before_at
      LIMIT @few::integer
    ) l
    OFFSET 0
  ) d
  WHERE s.day > @from_day::date AND s.found < @at_least::integer AND s.requests < @few::integer
), whole AS (
  SELECT s.day, s.times FROM step s WHERE s.requests < @few::integer
)
SELECT coalesce(
  (SELECT t.at FROM (SELECT unnest(w.times) AS at FROM whole w) t ORDER BY t.at DESC LIMIT 1 OFFSET @newer::integer),
  (SELECT min(w.day)::timestamp AT TIME ZONE 'UTC' FROM whole w)
)::timestamptz AS at;

-- name: ListRequestsOfResource :many
-- Index: request_log_kinds. The newest requests of a resource. All since a time are looked up
-- in the index.
WITH found AS MATERIALIZED (
  SELECT * FROM request_log l
  WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> ''
    AND l.account_id || '' = @account_id AND l.resource_id = @resource_id::text
    AND l.at >= @since AND l.at <= @before_at AND (l.at, l.request_id) < (@before_at, @before_id::text)
)
SELECT f.at, f.request_id, f.account_id, f.app_id, f.api_key_id, f.connection_id, f.method, f.route, f.status, f.latency_us, f.bytes, f.metered,
  f.error_code, f.resource_id, f.client_address, f.user_agent, f.minute_left, f.day_left, f.refused_by,
  f.error_message, f.other_faults
FROM found f
ORDER BY f.at DESC, f.request_id DESC
LIMIT @at_most;

-- name: ListKinds :many
-- Index: request_facets_pkey, as ListFacets. The kinds that match, the least first.
SELECT DISTINCT request_kind(f.app_id, f.api_key_id, f.method, f.route, f.status, f.error_code)::bigint AS kind
FROM request_facets f
WHERE f.account_id = @account_id AND f.last_day + 0 >= @from_day AND (@app_id::text = '' OR f.app_id = @app_id::text) AND (@any_key::boolean OR f.api_key_id = @api_key_id::text)
  AND f.status BETWEEN @from_status::integer AND @to_status::integer AND (@error_code::text = '' OR f.error_code = @error_code::text)
  AND (@method::text = '' OR f.method = @method::text) AND (@route::text = '' OR f.route = @route::text)
ORDER BY 1;

-- name: ListKindDays :many
-- Index: request_log_kinds. Gives the kinds that a resource has on the newest days, of each
-- day all or none, until there are at_least. It goes from the newest day to the oldest, and
-- steps within each: from a kind to the next that is wanted, and from there to the next that
-- the resource has. width_bucket is the place in wanted, which is in order.
WITH RECURSIVE step AS (
  SELECT @to_day::date AS day, NULL::bigint AS kind, false AS is_wanted, 0 AS found
  UNION ALL
  SELECT CASE WHEN held.kind IS NULL THEN s.day - 1 ELSE s.day END, held.kind, held.kind IS NOT NULL AND hit.is_wanted,
    s.found + (held.kind IS NOT NULL AND hit.is_wanted)::integer
  FROM step s
  CROSS JOIN LATERAL (
    SELECT CASE WHEN @every_kind::boolean THEN coalesce(s.kind + 1, -9223372036854775808) WHEN s.kind IS NULL THEN (@wanted::bigint[])[1]
      ELSE (@wanted::bigint[])[width_bucket(s.kind, @wanted::bigint[]) + 1] END AS least
    OFFSET 0
  ) goal
  CROSS JOIN LATERAL (
    SELECT (
      SELECT request_kind(l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code)
      FROM request_log l
      WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> ''
        AND request_kind(l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code) >= goal.least
        AND l.at >= s.day::timestamp AT TIME ZONE 'UTC' AND l.at < (s.day + 1)::timestamp AT TIME ZONE 'UTC'
      ORDER BY 1 LIMIT 1
    ) AS kind
    OFFSET 0
  ) held
  CROSS JOIN LATERAL (
    SELECT @every_kind::boolean OR coalesce((@wanted::bigint[])[width_bucket(held.kind, @wanted::bigint[])] = held.kind, false) AS is_wanted
  ) hit
  WHERE s.day >= @from_day::date AND (s.kind IS NOT NULL OR s.found < @at_least::integer)
)
SELECT s.day::date AS day, s.kind::bigint AS kind FROM step s WHERE s.is_wanted;

-- name: ListRequestsOfKinds :many
-- Index: request_log_kinds. The newest requests of a resource, of kinds on days. Otherwise
-- as ListRequestsOfFacets.
WITH found AS MATERIALIZED (
  SELECT wanted.day, wanted.kind, r.* FROM (SELECT unnest(@days::date[]) AS day, unnest(@kinds::bigint[]) AS kind) wanted CROSS JOIN LATERAL (
    SELECT * FROM request_log l
    WHERE request_resource(l.account_id, l.resource_id) = request_resource(@account_id, @resource_id) AND l.resource_id <> ''
      AND request_kind(l.app_id, l.api_key_id, l.method, l.route, l.status, l.error_code) = wanted.kind
      AND l.at >= wanted.day::timestamp AT TIME ZONE 'UTC' AND l.at < (wanted.day + 1)::timestamp AT TIME ZONE 'UTC'
      AND l.at >= @since AND l.at <= @before_at AND (l.at, l.request_id) < (@before_at, @before_id::text)
      AND l.account_id || '' = @account_id AND l.resource_id = @resource_id::text AND (@app_id::text = '' OR l.app_id = @app_id::text) AND (@any_key::boolean OR l.api_key_id = @api_key_id::text)
      AND l.status BETWEEN @from_status::integer AND @to_status::integer AND (@error_code::text = '' OR l.error_code = @error_code::text)
      AND (@method::text = '' OR l.method = @method::text) AND (@route::text = '' OR l.route = @route::text)
    ORDER BY l.at DESC, l.request_id DESC
    LIMIT @of_each::integer
  ) r
), cut AS (
  SELECT n.at, n.request_id
  FROM (SELECT f.at, f.request_id, row_number() OVER (PARTITION BY f.day, f.kind ORDER BY f.at DESC, f.request_id DESC) AS nth FROM found f) n
  WHERE n.nth = @of_each::integer
  ORDER BY n.at DESC, n.request_id DESC LIMIT 1
)
SELECT f.at, f.request_id, f.account_id, f.app_id, f.api_key_id, f.connection_id, f.method, f.route, f.status, f.latency_us, f.bytes, f.metered,
  f.error_code, f.resource_id, f.client_address, f.user_agent, f.minute_left, f.day_left, f.refused_by,
  f.error_message, f.other_faults
FROM found f
WHERE NOT EXISTS (SELECT FROM cut WHERE (f.at, f.request_id) < (cut.at, cut.request_id))
ORDER BY f.at DESC, f.request_id DESC
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
