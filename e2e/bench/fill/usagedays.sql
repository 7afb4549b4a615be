-- Adds 90 days of usage for an account with fifty keys, except for days that already have
-- usage.
INSERT INTO usage_days (account_id, day, app_id, api_key_id, requests, metered, failed)
SELECT $1, (now() AT TIME ZONE 'UTC')::date - d, $1 || '_app_' || key % 10, $1 || '_key_' || key, 4000, 3900, 300
FROM generate_series(0, 89) d, generate_series(1, 50) key
ON CONFLICT DO NOTHING
