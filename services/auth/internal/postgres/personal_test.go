package postgres_test

import (
	"testing"

	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/postgres"
)

// These are the reasons why an export omits a column.
const (
	secret    = "a digest of a secret, useful only to someone who wants to sign in"
	ofAnOwner = "belongs to the developer account; the exported events show the person's own actions"
	ofApps    = "what an app signs in with; the export has the connection, and what was read"
	passing   = "waits in a mail or for one, and is gone within days; by an address that anybody can type"
	guesses   = "counts guesses by a digest of an address that anybody can type, and is gone when they count no more"
	internal  = "keeps the rows in order, and says nothing of the person"
	inAnother = "says what another column of the export says"
)

func TestEveryColumnIsExportedOrExplained(t *testing.T) {
	t.Parallel()
	testkit.DecidedColumns(t, testkit.Database(t, "auth", postgres.Migrate), map[string]testkit.Columns{
		"people": {Exported: "id email email_verified locale created_at password_set_at", Left: map[string]string{
			"email_key": inAnother, "password_hash": secret,
		}},
		"sessions": {Exported: "browser system country locale created_at used_at proved_at expires_at", Left: map[string]string{
			"hash": secret, "id person_id": internal,
		}},
		"passkeys": {Exported: "name created_at used_at", Left: map[string]string{
			"id person_id": internal, "credential_id public_key flags sign_count aaguid transports": "is the key, and what its device says with it",
		}},
		"devices": {Exported: "signed_in_at expires_at failures", Left: map[string]string{
			"hash moved_from": secret, "person_id": internal,
		}},
		"console_sessions": {Exported: "created_at used_at expires_at", Left: map[string]string{
			"hash": secret, "connection_id person_id browser_session": internal,
		}},
		"connections": {
			Exported: "id app_id granted_scopes withheld scopes cv_id cv_sharing share_photo photo_withheld legacy created_at paused_at ends_at ended_at",
			Left:     map[string]string{"person_id photo_version scopes_version declined_scopes": internal},
		},
		"cv_links":         {Exported: "created_at ended_at", Left: map[string]string{"hash": secret, "id connection_id": internal}},
		"connection_reads": {Exported: "day kind reads last_at", Left: map[string]string{"connection_id": internal}},
		"connection_read_countries": {Exported: "country reads", Left: map[string]string{
			"connection_id": internal, "day kind": inAnother,
		}},
		// These counts are exported when the candidate service asks for the reads of the person's applications.
		"application_reads": {Exported: "app_id day reads last_at", Left: map[string]string{"application_id": internal}},
		"members":           {Exported: "account_id role created_at", Left: map[string]string{"person_id": internal}},
		"invitations": {Exported: "account_id role created_at expires_at", Left: map[string]string{
			"hash": secret, "id": internal, "email email_key": inAnother, "created_by": ofAnOwner,
		}},
		"audit_events": {
			Exported: "at action outcome error_code actor_kind app_id object_type object_id client_address details",
			Left: map[string]string{
				"id person_id request_id": internal, "caller actor_id account_id": "who acted for whom in whose account: another person's or a partner's, unless it is the person",
			},
		},
		"person_deletions": {Exported: "requested_at due_at", Left: map[string]string{
			"person_id next_at begun_at passes": internal, "email_key connection_ids": inAnother,
		}},

		"console_names":      {Left: map[string]string{"connection_id person_id": internal, "name": inAnother}},
		"new_profiles":       {Left: map[string]string{"person_id created_at": internal, "name": "becomes the name of the profile within seconds"}},
		"mail_outbox":        {Left: map[string]string{"id kind email email_key link locale created_at due_at attempts expires_at app_id account_id subject_id browser system country": passing}},
		"sign_ups":           {Left: map[string]string{"hash password_hash": secret, "email email_key name locale return_path created_at expires_at": passing}},
		"password_resets":    {Left: map[string]string{"hash link": secret, "email_key return_path created_at expires_at": passing}},
		"mail_budgets":       {Left: map[string]string{"address full_at": guesses}},
		"sign_in_ceilings":   {Left: map[string]string{"account open_until turns_until": guesses}},
		"sign_in_turns":      {Left: map[string]string{"account device due_at booked failures": guesses}},
		"passkey_ceremonies": {Left: map[string]string{"hash purpose binding state expires_at": "a challenge that lives for minutes, by a digest"}},

		"token_families":         {Left: map[string]string{"id app_id connection_id scopes refresh_hash created_at expires_at revoked_at": ofApps}},
		"rotated_refresh_tokens": {Left: map[string]string{"hash family_id rotated_at": ofApps}},
		"authorization_codes": {Left: map[string]string{
			"hash app_id connection_id redirect_uri code_challenge scopes created_at expires_at used_at revoked_at family_id session_id": ofApps,
		}},
		"access_tokens": {Left: map[string]string{"hash family_id app_id connection_id scopes created_at expires_at revoked_at legacy": ofApps}},
		"request_log": {Left: map[string]string{
			"at request_id account_id app_id api_key_id connection_id resource_id method route status error_code refused_by latency_us bytes metered minute_left day_left client_address user_agent error_message other_faults": "the log of the partner, for 30 days; the reads of the export are counted from it",
		}},

		"accounts": {Left: map[string]string{
			"id name email plan per_minute per_day created_at created_by closed_at suspended_at suspension_reason verified_at": ofAnOwner,
		}},
		"apps": {Left: map[string]string{
			"id account_id name description logo_url logo_version homepage privacy_policy support terms client_id client_type redirect_uris scopes scopes_since scopes_version legacy is_console created_at created_by updated_at deleted_at": ofAnOwner,
		}},
		"api_keys":       {Left: map[string]string{"id app_id name hash hint scopes created_at created_by expires_at last_used_at deleted_at": ofAnOwner}},
		"client_secrets": {Left: map[string]string{"id app_id hash created_at created_by expires_at last_used_at": ofAnOwner}},
		"plan_requests": {Left: map[string]string{
			"id account_id plan per_minute per_day reason state note created_at created_by decided_at decided_by": ofAnOwner,
		}},

		"app_logos":          {Nobodys: "pictures of apps"},
		"console_forms":      {Nobodys: "digests of forms that were sent"},
		"forget_outbox":      {Nobodys: "digests of credentials that have ended, for seconds"},
		"usage_days":         {Nobodys: "sums of a developer account"},
		"usage_account_days": {Nobodys: "sums of a developer account"},
		"usage_minutes":      {Nobodys: "sums of a developer account"},
		"usage_batches":      {Nobodys: "batches of requests that were counted"},
		"refusal_days":       {Nobodys: "sums of a developer account"},
		"route_latencies":    {Nobodys: "sums of a developer account"},
	})
}
