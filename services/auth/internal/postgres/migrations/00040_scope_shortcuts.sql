-- Nearly always a connection has all scopes that the functions are asked about. Then nothing is
-- computed: in PL/pgSQL a comparison costs a hundredth of a query, and a refresh made three. What
-- the functions answer is unchanged, so replicas of the release before work on.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION common_scopes(a text[], b text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  IF a <@ b THEN
    RETURN a;
  END IF;
  RETURN ARRAY(SELECT s FROM unnest(a) WITH ORDINALITY AS x (s, n) WHERE s = ANY (b) ORDER BY n);
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION held_scopes(scopes text[], consented integer, app_scopes text[], app_since integer[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  IF scopes <@ array_append(app_scopes, 'profile:read') AND consented >= 0 AND consented >= ALL (app_since) THEN
    RETURN scopes;
  END IF;
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
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION common_scopes(a text[], b text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  RETURN ARRAY(SELECT s FROM unnest(a) WITH ORDINALITY AS x (s, n) WHERE s = ANY (b) ORDER BY n);
END
$$;
-- +goose StatementEnd
