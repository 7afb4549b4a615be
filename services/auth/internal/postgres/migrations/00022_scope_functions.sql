-- Postgres plans a function in SQL anew for every statement that calls it, unless it can be
-- inlined, which one with a subquery cannot; a function in PL/pgSQL keeps its plan for
-- the connection. With these two in SQL, the statement of introspection took twice as long.
-- What they answer is unchanged, so replicas of the release before work on.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION common_scopes(a text[], b text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  RETURN ARRAY(SELECT s FROM unnest(a) WITH ORDINALITY AS x (s, n) WHERE s = ANY (b) ORDER BY n);
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION held_scopes(scopes text[], consented integer, app_scopes text[], app_since integer[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  RETURN ARRAY(
    SELECT s FROM unnest(scopes) WITH ORDINALITY AS x (s, n)
    WHERE s = 'profile:read' OR EXISTS (
      SELECT FROM unnest(app_scopes, app_since) AS h (scope, since) WHERE h.scope = s AND coalesce(h.since, 0) <= consented)
    ORDER BY n);
END
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION held_scopes(scopes text[], consented integer, app_scopes text[], app_since integer[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT ARRAY(
    SELECT s FROM unnest(scopes) WITH ORDINALITY AS x (s, n)
    WHERE s = 'profile:read' OR EXISTS (
      SELECT FROM unnest(app_scopes, app_since) AS h (scope, since) WHERE h.scope = s AND coalesce(h.since, 0) <= consented)
    ORDER BY n)
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION common_scopes(a text[], b text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT ARRAY(SELECT s FROM unnest(a) WITH ORDINALITY AS x (s, n) WHERE s = ANY (b) ORDER BY n) $$;
-- +goose StatementEnd
