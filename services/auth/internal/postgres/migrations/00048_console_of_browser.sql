-- +goose Up
-- A session of the developer console ends with the session of the pages that it was opened from. Those
-- opened before, or by replicas of the release before, have none and end within seven days.
ALTER TABLE authorization_codes ADD COLUMN session_id text NOT NULL DEFAULT '';
ALTER TABLE console_sessions ADD COLUMN browser_session text REFERENCES sessions (id) ON DELETE CASCADE;
CREATE INDEX console_sessions_browser ON console_sessions (browser_session);

-- +goose Down
ALTER TABLE console_sessions DROP COLUMN browser_session;
ALTER TABLE authorization_codes DROP COLUMN session_id;
