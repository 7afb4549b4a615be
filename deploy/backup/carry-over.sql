-- Part of carry-over.sh: updates the columns of people, accounts and apps that hold credentials or permissions. Rows
-- that no longer exist in the last state stay as restored.

UPDATE people p SET password_hash = l.password_hash, password_set_at = l.password_set_at
FROM last_people l WHERE l.id = p.id;

UPDATE accounts a SET plan = l.plan, per_minute = l.per_minute, per_day = l.per_day, suspended_at = l.suspended_at,
  suspension_reason = l.suspension_reason, verified_at = l.verified_at, closed_at = l.closed_at
FROM last_accounts l WHERE l.id = a.id;

UPDATE apps a SET is_console = false WHERE is_console;
UPDATE apps a SET client_type = l.client_type, redirect_uris = l.redirect_uris, scopes = l.scopes,
  scopes_version = l.scopes_version, scopes_since = l.scopes_since, legacy = l.legacy, is_console = l.is_console, deleted_at = l.deleted_at
FROM last_apps l WHERE l.id = a.id;
