-- name: AddMail :exec
INSERT INTO mail_outbox (id, kind, email, email_key, link, locale, created_at, due_at, expires_at, app_id, account_id, subject_id)
VALUES (@id, @kind, @email, @email_key, @link, @locale, @created_at, @created_at, @expires_at, @app_id, @account_id, @subject_id);

-- name: ListOwnersToTell :many
-- Indexes: members_pkey, people_pkey. Lists the owners who must receive an email about an event, except the
-- person whose id is in the parameter but. The result is empty if an operator caused the event but members could
-- have caused it too.
SELECT p.email, p.email_key FROM members m JOIN people p ON p.id = m.person_id
WHERE m.account_id = @account_id AND m.role = 'owner' AND m.person_id <> @but AND (@by_operators::boolean OR EXISTS (SELECT FROM people b WHERE b.id = @by))
ORDER BY p.id;

-- name: AddNotice :exec
-- Indexes: people_pkey, sessions_pkey, mail_outbox_pkey. Adds a notice to a person. The browser and country are
-- copied from the session in which the reported action was taken; if there is no session, they come from the
-- parameters. A notice whose id already exists is not added again.
INSERT INTO mail_outbox (id, kind, email, email_key, link, locale, created_at, due_at, expires_at, browser, system, country, app_id)
SELECT @id, @kind, p.email, p.email_key, '', coalesce(nullif(@locale::text, ''), s.locale, ''), @created_at, @created_at, @expires_at,
  coalesce(s.browser, @browser::text), coalesce(s.system, @system::text), coalesce(s.country, @country::text), @app_id
FROM people p
LEFT JOIN LATERAL (SELECT person_id, locale, browser, system, country FROM sessions WHERE hash = @session_hash LIMIT 1) s ON s.person_id = p.id
WHERE p.id = @person_id
ON CONFLICT (id) DO NOTHING;

-- name: SpendMail :execrows
-- Index: mail_budgets_pkey. Charges one email to a budget of an address. If the budget would then be full again
-- only after the given time, it is exhausted: the statement changes nothing and returns no row.
INSERT INTO mail_budgets (address, full_at) VALUES (@address, @first)
ON CONFLICT (address) DO UPDATE SET full_at = greatest(mail_budgets.full_at, @at) + make_interval(secs => @every_seconds)
WHERE greatest(mail_budgets.full_at, @at) + make_interval(secs => @every_seconds) <= @until;

-- name: LeaseMail :many
-- Indexes: mail_outbox_due, mail_outbox_pkey, people_email_key, apps_pkey, accounts_pkey, people_pkey,
-- members_pkey. Reserves emails that are due for this replica, until the given time. The person columns belong
-- to the account that has the email address, if there is one.
WITH leased AS (
  UPDATE mail_outbox SET due_at = @until, attempts = attempts + 1
  WHERE id = ANY (ARRAY(
    SELECT o.id FROM mail_outbox o WHERE o.due_at <= @at ORDER BY o.due_at LIMIT @at_most FOR UPDATE SKIP LOCKED))
  RETURNING *
)
SELECT l.id, l.kind, l.email, l.link, l.locale, l.created_at, l.attempts, l.expires_at, l.browser, l.system, l.country,
  coalesce((SELECT a.name FROM apps a WHERE a.id = l.app_id), '')::text AS app_name,
  coalesce((SELECT a.name FROM accounts a WHERE a.id = l.account_id), '')::text AS account_name,
  coalesce((SELECT a.suspension_reason FROM accounts a WHERE a.id = l.account_id), '')::text AS suspension_reason,
  (SELECT a.suspended_at FROM accounts a WHERE a.id = l.account_id AND l.kind = 'account_suspended') AS suspended_at,
  EXISTS (SELECT FROM accounts a WHERE a.id = l.account_id AND a.verified_at IS NOT NULL) AS account_verified,
  coalesce((SELECT s.email FROM people s WHERE s.id = l.subject_id), '')::text AS subject_email,
  coalesce((SELECT m.role FROM members m WHERE m.account_id = l.account_id AND m.person_id = l.subject_id), '')::text AS subject_role,
  coalesce(p.id, '')::text AS person_id, coalesce(p.email, '')::text AS person_email, coalesce(p.locale, '')::text AS person_locale
FROM leased l LEFT JOIN people p ON p.email_key = l.email_key
ORDER BY l.created_at, l.id;

-- name: DeferMail :exec
-- Index: mail_outbox_pkey.
UPDATE mail_outbox SET due_at = @due_at WHERE id = @id;

-- name: DropMail :exec
-- Index: mail_outbox_pkey.
DELETE FROM mail_outbox WHERE id = @id;
