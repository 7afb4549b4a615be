package app_test

import (
	"log/slog"
	"strings"
	"testing"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/app"
)

// A limit of zero would block callers forever.
func TestEmptySettingsPreventStart(t *testing.T) {
	t.Parallel()
	for variable, value := range map[string]string{
		"VITAE_PLAN_STANDARD_PER_MINUTE": "0", "VITAE_PLAN_ELEVATED_PER_DAY": "-1", "VITAE_AUTH_ACCESS_LIFE": "0s", "VITAE_AUTH_PASSWORDS_AT_ONCE": "0",
		"VITAE_AUTH_PASSWORDS_WAITING": "0", "VITAE_AUTH_DEVICE_LIFE": "0s", "VITAE_RECORD_KEYS": "", "VITAE_ADDRESS_DATABASE": "/nowhere/countries.mmdb",
	} {
		// No server is running, so the settings must be checked before the service connects.
		cfg, err := config.Load[app.Config](config.Environment{
			"VITAE_POSTGRES_URL": "postgres://127.0.0.1:1/none", "VITAE_REDIS_URL": "redis://127.0.0.1:1/0",
			"VITAE_RECORD_KEYS": testkit.Keys("a"),
		}.With(config.Environment{variable: value}))
		if err != nil {
			t.Fatal(err)
		}
		a, err := app.New(t.Context(), cfg, slog.New(slog.DiscardHandler))
		if err == nil {
			t.Errorf("%s=%s: auth started", variable, value)
			a.Close(t.Context())
		} else if !strings.Contains(err.Error(), variable) {
			t.Errorf("%s=%s: %v", variable, value, err)
		}
	}
}
