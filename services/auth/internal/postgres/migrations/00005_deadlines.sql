-- +goose Up

-- True until the given time by this server's clock, and an error afterwards. A statement
-- that calls it has no effect if it runs after its caller has given up. The caller knows
-- the time by this clock (postgres.Deadline in pkg). The code says that the server
-- canceled the statement, which callers take for a service that is unavailable.
-- +goose StatementBegin
CREATE FUNCTION in_time(until timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  IF clock_timestamp() > until THEN
    RAISE EXCEPTION 'the caller has given up' USING ERRCODE = 'query_canceled';
  END IF;
  RETURN true;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION in_time(timestamptz);
