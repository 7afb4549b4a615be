-- Inserts enough rows into every table for the planner to choose the same plans as in production. Triggers are off,
-- because checking foreign keys takes longer than everything else. They are on for tables with a trigger that fills
-- a column.
SET session_replication_role = replica;
INSERT INTO people SELECT 'usr_' || n, 'e' || n, 'e' || n, true, 'x', now() FROM generate_series(1, 5000) n;
INSERT INTO sessions SELECT sha256(n::text::bytea), 'usr_' || (n % 600 + 1), now(), now() + n * interval '1 second' FROM generate_series(1, 5000) n;
INSERT INTO devices SELECT sha256((n / 2)::text::bytea), 'usr_' || (n % 600 + 1), now() + n * interval '1 second', now() + n * interval '1 second'
FROM generate_series(1, 20000) n;
INSERT INTO sign_in_ceilings SELECT sha256(n::text::bytea), now() + n * interval '1 second', now() FROM generate_series(1, 20000) n;
INSERT INTO sign_in_turns SELECT sha256((n / 5)::text::bytea), sha256(n::text::bytea), now() + n * interval '1 second', true, 1 FROM generate_series(1, 20000) n;
INSERT INTO accounts SELECT 'dev_' || n, 'n', 'e' || n, 'standard', NULL, NULL, NULL, now() FROM generate_series(1, 20000) n;
INSERT INTO apps SELECT 'app_' || n, 'dev_' || n, 'n', '', 'ci' || n, 'public', '{}', '{}', false, now() FROM generate_series(1, 2000) n;
INSERT INTO app_logos SELECT 'app_' || n, 'v', 'jpeg', now() FROM generate_series(1, 2000) n;
INSERT INTO plan_requests (id, account_id, plan, reason, state, created_at, created_by, decided_at)
SELECT 'plr_' || n, 'dev_' || (n % 1000 + 1), 'elevated', 'r', CASE WHEN n > 9000 THEN 'open' ELSE 'refused' END, now() + n * interval '1 second', '',
  CASE WHEN n <= 9000 THEN now() END
FROM generate_series(1, 10000) n;
INSERT INTO client_secrets SELECT 'sec_' || n, 'app_' || (n % 2000 + 1), sha256(n::text::bytea), now(), '' FROM generate_series(1, 4000) n;
INSERT INTO api_keys SELECT 'key_' || n, 'app_' || (n % 2000 + 1), 'n', sha256(n::text::bytea), '{}', NULL, now(), NULL FROM generate_series(1, 10000) n;
SET session_replication_role = origin;
INSERT INTO connections (id, person_id, app_id, granted_scopes, cv_sharing, cv_id, share_photo, created_at, ended_at)
SELECT 'con_' || n, 'usr_' || (n % 5000 + 1), 'app_' || (n % 2000 + 1), '{profile,cv:read}', true, 'master', true, now(),
  CASE WHEN n > 5000 THEN now() END
FROM generate_series(1, 10000) n;
SET session_replication_role = replica;
INSERT INTO cv_links SELECT 'lnk_' || n, sha256(n::text::bytea), 'con_' || n, now(), CASE WHEN n > 5000 THEN now() END FROM generate_series(1, 10000) n;
INSERT INTO token_families
SELECT 'fam_' || n, 'app_' || (n % 2000 + 1), 'con_' || (n % 10000 + 1), '{profile}', sha256(n::text::bytea), now(), now() + n * interval '1 minute',
  CASE WHEN n % 10 = 0 THEN now() - n * interval '1 second' END
FROM generate_series(1, 15000) n;
INSERT INTO rotated_refresh_tokens SELECT sha256(('r' || n)::bytea), 'fam_' || n, now() FROM generate_series(1, 15000) n;
INSERT INTO authorization_codes
SELECT sha256(n::text::bytea), 'app_' || (n % 2000 + 1), 'con_' || (n % 10000 + 1), 'u', 'c', '{profile}', now(), now() + n * interval '1 second',
  CASE WHEN n % 5 > 0 THEN now() END, NULL, CASE WHEN n % 5 > 0 THEN 'fam_' || n END
FROM generate_series(1, 15000) n;
INSERT INTO access_tokens
SELECT sha256(n::text::bytea), 'fam_' || (n % 15000 + 1), 'app_' || (n % 2000 + 1), 'con_' || (n % 10000 + 1), '{profile}', now(), now() + n * interval '1 second', NULL
FROM generate_series(1, 25000) n;
INSERT INTO forget_outbox (account_id, whole_account, hashes, created_at)
SELECT 'dev_' || n, true, '{}', now() + n * interval '1 second' FROM generate_series(1, 10000) n;
INSERT INTO usage_days SELECT 'dev_' || n % 500, date '2026-01-01' + n % 60, 'app_' || n % 500, 'key_' || n, 1, 1, 0, 0, 0, 0 FROM generate_series(1, 30000) n;
INSERT INTO usage_account_days SELECT 'dev_' || n, date '2026-01-01' + d, 1 FROM generate_series(1, 500) n, generate_series(1, 30) d;
INSERT INTO usage_batches SELECT 'bat_' || n, now() + n * interval '1 second' FROM generate_series(1, 10000) n;
CREATE TABLE request_log_20260301 PARTITION OF request_log FOR VALUES FROM ('2026-03-01 00:00+00') TO ('2026-03-02 00:00+00');
CREATE TABLE request_log_20260302 PARTITION OF request_log FOR VALUES FROM ('2026-03-02 00:00+00') TO ('2026-03-03 00:00+00');
INSERT INTO request_log (at, request_id, account_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered, error_code, resource_id)
SELECT timestamptz '2026-03-01 00:00+00' + n * interval '4 seconds', 'req_' || n, 'dev_' || n % 50, 'app_' || n % 200, 'key_' || n % 1000, '', 'GET', '/v1/jobs/{jobId}',
  200 + n % 7 * 50, n % 5000, 100, true, 'CODE_' || n % 11, 'job_' || n % 3000
FROM generate_series(1, 40000) n;
INSERT INTO refusal_days SELECT 'dev_' || n % 500, date '2026-01-01' + n % 60, 'l' || n, 1 FROM generate_series(1, 20000) n;
INSERT INTO usage_minutes SELECT 'dev_' || n % 500, now() - n % 120 * interval '1 minute', 'app_' || n, '', 1, 1, 0 FROM generate_series(1, 20000) n;
INSERT INTO route_latencies SELECT 'dev_' || n % 500, date '2026-01-01' + n % 60, 'GET', '/v1/' || n, 20, 1, 0, 0 FROM generate_series(1, 20000) n ON CONFLICT DO NOTHING;
INSERT INTO connection_reads SELECT 'con_' || n % 10000 + 1, date '2026-01-01' + n / 10000, 'cv', 1, now() FROM generate_series(1, 40000) n ON CONFLICT DO NOTHING;
INSERT INTO connection_read_countries SELECT connection_id, day, kind, 'SA', 1 FROM connection_reads;
INSERT INTO application_reads SELECT 'apl_' || n % 10000 + 1, 'app_' || n % 10, date '2026-01-01' + n / 10000, 1, now() FROM generate_series(1, 40000) n ON CONFLICT DO NOTHING;
-- Inserts rows for every day of the previous and the current week, because plans differ if only one partition has
-- rows.
INSERT INTO audit_events
SELECT 'evt_' || n, date_trunc('week', now(), 'UTC') - interval '2 days' + n * interval '10 seconds', 'action' || n % 40, 'succeeded', '', 'person', '', 'gateway',
  'dev_' || n % 500, 'app_' || n % 600, 'usr_' || n % 700, '', '', '', '', '{}' FROM generate_series(1, 60000) n;
INSERT INTO members SELECT 'dev_' || n % 5000 + 1, 'usr_' || n % 4999 + 1, 'viewer', now() FROM generate_series(1, 20000) n ON CONFLICT DO NOTHING;
INSERT INTO invitations SELECT 'inv_' || n, 'dev_' || n % 5000 + 1, 'e' || n, 'e' || n, 'viewer', sha256(n::text::bytea), '', now(), now() + n * interval '1 second'
FROM generate_series(1, 20000) n;
UPDATE apps SET is_console = true WHERE id = 'app_1';
INSERT INTO console_sessions SELECT sha256(n::text::bytea), 'usr_' || n % 5000 + 1, 'con_' || n % 10000 + 1, now(), now(), now() + n * interval '1 second', 'session' || n
FROM generate_series(1, 20000) n;
INSERT INTO console_names SELECT 'con_' || n, 'usr_' || n % 5000 + 1, 'n' FROM generate_series(1, 10000) n;
INSERT INTO console_forms SELECT sha256((n % 2000 + 1)::text::bytea), 'form' || n FROM generate_series(1, 20000) n;
INSERT INTO mail_outbox SELECT 'mail_' || n, 'k', 'e' || n, 'e' || n, 'l', 'en', now() + n * interval '1 second', now() + n * interval '1 second', 0, now()
FROM generate_series(1, 20000) n;
INSERT INTO mail_budgets SELECT sha256(n::text::bytea), now() + n * interval '1 second' FROM generate_series(1, 20000) n;
INSERT INTO sign_ups SELECT sha256(n::text::bytea), 'e' || n, 'e' || n, 'n', 'x', 'en', '', now(), now() + n * interval '1 second' FROM generate_series(1, 20000) n;
INSERT INTO password_resets SELECT sha256(n::text::bytea), 'e' || n, '', now(), now() + n * interval '1 second' FROM generate_series(1, 20000) n;
INSERT INTO new_profiles SELECT 'usr_' || n, 'n', now() + n * interval '1 second' FROM generate_series(1, 5000) n;
INSERT INTO person_deletions (person_id, requested_at, due_at, next_at) SELECT 'usr_' || n, now(), now(), now() + n * interval '1 second' FROM generate_series(1, 20000) n;
INSERT INTO passkeys SELECT 'pky_' || n, 'usr_' || n % 5000 + 1, sha256(n::text::bytea), 'k', 0, 0, '', '{}', 'n', now() + n * interval '1 second', NULL
FROM generate_series(1, 10000) n;
INSERT INTO passkey_ceremonies SELECT sha256(n::text::bytea), 'sign_in', sha256('b'), '{}', now() + n * interval '1 second' FROM generate_series(1, 20000) n;
ANALYZE;
