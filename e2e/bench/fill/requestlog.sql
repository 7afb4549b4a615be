-- Fills the request log of a day with requests of a large account, and as many requests of a
-- hundred other accounts. One in a thousand of the latter belongs to the account few, which is
-- read for comparison. It also fills usage_days. It writes a table without indexes and attaches
-- it as the partition of the day, which creates the indexes. This is about twenty times as fast
-- as recording the requests.
--
-- The account has ten apps with fifty keys, five of which represent tokens. A third of its
-- requests are for one job. The rarest value is an error code that occurs three times.
CREATE OR REPLACE FUNCTION pg_temp.fill_request_log(account text, few text, own bigint, beside bigint, day date) RETURNS bigint
LANGUAGE plpgsql SET timezone = 'UTC' SET work_mem = '64MB' SET maintenance_work_mem = '256MB'
AS $$
DECLARE
  part text := 'request_log_' || to_char(day, 'YYYYMMDD');
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS %I', part);
  EXECUTE format('CREATE TABLE %I (LIKE request_log INCLUDING DEFAULTS)', part);
  EXECUTE format($fill$
    INSERT INTO %I (at, request_id, account_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered,
      error_code, resource_id, client_address, user_agent, minute_left, day_left, refused_by)
    SELECT at,
      -- Like the gateway's ids, these contain the time in milliseconds.
      'req_' || substr(d, ((ms << 2 | 1) >> 45 & 31)::integer + 1, 1) || substr(d, ((ms << 2 | 1) >> 40 & 31)::integer + 1, 1) || substr(d, ((ms << 2 | 1) >> 35 & 31)::integer + 1, 1)
        || substr(d, ((ms << 2 | 1) >> 30 & 31)::integer + 1, 1) || substr(d, ((ms << 2 | 1) >> 25 & 31)::integer + 1, 1) || substr(d, ((ms << 2 | 1) >> 20 & 31)::integer + 1, 1)
        || substr(d, ((ms << 2 | 1) >> 15 & 31)::integer + 1, 1) || substr(d, ((ms << 2 | 1) >> 10 & 31)::integer + 1, 1) || substr(d, ((ms << 2 | 1) >> 5 & 31)::integer + 1, 1) || substr(d, ((ms << 2 | 1) & 31)::integer + 1, 1)
        || 'o' || left(md5(i::text), 14) || '0',
      account, account || '_app_' || key %% 10, CASE WHEN key < 5 THEN '' ELSE account || '_key_' || key END,
      CASE WHEN key < 5 THEN 'con_' || i %% 1000 ELSE '' END,
      (ARRAY['GET', 'PATCH', 'POST'])[r %% 3 + 1],
      CASE WHEN r < 6 THEN '/v1/jobs/{jobId}' WHEN r < 9 THEN '/v1/companies/{companyId}' ELSE '/v1/things' || r END,
      status, 300 + h %% 20000, 700, status <> 429,
      CASE status WHEN 429 THEN 'RATE_LIMIT_EXCEEDED' WHEN 404 THEN 'NOT_FOUND' WHEN 400 THEN 'VALIDATION_ERROR' WHEN 500 THEN 'INTERNAL_ERROR' ELSE '' END,
      CASE WHEN r < 6 AND (h / 7) %% 3 < 2 THEN 'job_big' WHEN r < 6 THEN 'job_' || (h / 11) %% 100000 WHEN r < 9 THEN 'com_' || (h / 13) %% 50 ELSE '' END,
      '203.0.113.' || h %% 200, 'partner/1.0 (+https://partner.example)', 500, 100000, CASE status WHEN 429 THEN 'minute' ELSE '' END
    FROM (
      SELECT i, h, at, (extract(epoch FROM at) * 1000)::bigint AS ms, '0123456789abcdefghijklmnopqrstuv' AS d, (h / 3 %% 50)::integer AS key, (h / 17 %% 12)::integer AS r,
        CASE WHEN mine THEN $1 WHEN g %% 1000 = 0 THEN $4 ELSE 'dev_beside_' || g %% 100 END AS account,
        CASE WHEN mine AND i = 1 AND extract(day FROM at) %% 10 = 5 THEN 500 ELSE
          (ARRAY[200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 304, 304, 404, 404, 400, 429])[h / 23 %% 16 + 1] END AS status
      FROM (
        SELECT i, i %% ($2 + $3) < $2 AS mine, abs(hashint8extended(i, $5 - date '2000-01-01')) AS h, abs(hashint8extended(i, $5 - date '1900-01-01')) AS g,
          $5::timestamp AT TIME ZONE 'UTC' + i * interval '1 day' / ($2 + $3 + 1) AS at
        FROM generate_series(1, $2 + $3) i
      ) numbered
    ) drawn
    ORDER BY at$fill$, part) USING account, own, beside, few, day;
  EXECUTE format('ALTER TABLE request_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part,
    day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
  EXECUTE format($count$
    INSERT INTO usage_days (account_id, day, app_id, api_key_id, requests, metered, failed)
    SELECT account_id, $1, app_id, api_key_id, count(*), count(*), 0 FROM %I GROUP BY account_id, app_id, api_key_id$count$, part) USING day;
  RETURN own + beside;
END
$$;
