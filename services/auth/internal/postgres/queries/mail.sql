-- name: AddMail :exec
INSERT INTO mail_outbox (id, kind, email, email_key, link, locale, created_at, due_at, expires_at)
VALUES (@id, @kind, @email, @email_key, @link, @locale, @created_at, @created_at, @expires_at);

-- name: AddNotice :exec
-- Indexes: people_pkey, sessions_pkey, mail_outbox_pkey. A notice to a person, which tells the
-- browser of the session in which it was done, and where that was; without a session, those that
-- are given. One whose id is there already is not added again.
INSERT INTO mail_outbox (id, kind, email, email_key, link, locale, created_at, due_at, expires_at, browser, system, country, app_id)
SELECT @id, @kind, p.email, p.email_key, '', coalesce(nullif(@locale::text, ''), s.locale, ''), @created_at, @created_at, @expires_at,
  coalesce(s.browser, @browser::text), coalesce(s.system, @system::text), coalesce(s.country, @country::text), @app_id
FROM people p
LEFT JOIN LATERAL (SELECT person_id, locale, browser, system, country FROM sessions WHERE hash = @session_hash LIMIT 1) s ON s.person_id = p.id
WHERE p.id = @person_id
ON CONFLICT (id) DO NOTHING;

-- name: SpendMail :execrows
-- Index: mail_budgets_pkey. Takes one mail out of a budget of an address. It changes nothing, and
-- gives no row, when the budget would be full again only after the given time.
INSERT INTO mail_budgets (address, full_at) VALUES (@address, @first)
ON CONFLICT (address) DO UPDATE SET full_at = greatest(mail_budgets.full_at, @at) + make_interval(secs => @every_seconds)
WHERE greatest(mail_budgets.full_at, @at) + make_interval(secs => @every_seconds) <= @until;

-- name: LeaseMail :many
-- Indexes: mail_outbox_due, mail_outbox_pkey, people_email_key, apps_pkey. Takes mail that is due for
-- this replica, until the given time. The person is that of the address, if it has an account.
WITH leased AS (
  UPDATE mail_outbox SET due_at = @until, attempts = attempts + 1
  WHERE id = ANY (ARRAY(
    SELECT o.id FROM mail_outbox o WHERE o.due_at <= @at ORDER BY o.due_at LIMIT @at_most FOR UPDATE SKIP LOCKED))
  RETURNING *
)
SELECT l.id, l.kind, l.email, l.link, l.locale, l.created_at, l.attempts, l.expires_at, l.browser, l.system, l.country,
  coalesce((SELECT a.name FROM apps a WHERE a.id = l.app_id), '')::text AS app_name,
  coalesce(p.id, '')::text AS person_id, coalesce(p.email, '')::text AS person_email, coalesce(p.locale, '')::text AS person_locale
FROM leased l LEFT JOIN people p ON p.email_key = l.email_key
ORDER BY l.created_at, l.id;

-- name: DeferMail :exec
-- Index: mail_outbox_pkey.
UPDATE mail_outbox SET due_at = @due_at WHERE id = @id;

-- name: DropMail :exec
-- Index: mail_outbox_pkey.
DELETE FROM mail_outbox WHERE id = @id;

-- name: MeasureMail :one
-- Index: mail_outbox_created.
SELECT count(*) AS entries, coalesce(min(o.created_at), 'epoch')::timestamptz AS oldest
FROM (SELECT created_at FROM mail_outbox ORDER BY created_at LIMIT @at_most) o;
