package app_test

import (
	"log/slog"
	"strings"
	"testing"

	"vitae.internal/gateway/app"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/testkit"
)

// goodConfig returns a minimal valid environment.
func goodConfig() config.Environment {
	return config.Environment{
		"VITAE_REDIS_URL": "redis://127.0.0.1:1", "VITAE_CV_LINK_KEYS": testkit.Keys("a"), "VITAE_COOKIE_KEYS": testkit.Keys("b"),
		"VITAE_RECORD_KEYS": testkit.Keys("c"),
	}
}

func TestInvalidConfigIsRejected(t *testing.T) {
	t.Parallel()
	if _, err := config.Load[app.Config](goodConfig()); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"VITAE_CV_LINK_KEYS": "QUJD", "VITAE_RECORD_KEYS": "QUJD", "VITAE_COOKIE_KEYS": "a:not base64!",
		"VITAE_DEVELOPER_PLATFORM": "maybe", "VITAE_TRUSTED_PROXIES": "example",
	} {
		_, err := config.Load[app.Config](goodConfig().With(config.Environment{name: value}))
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "QUJD") || strings.Contains(err.Error(), "not base64!") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}

func TestEachKeyRingIsRequired(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := mtls.Issue(dir, "gateway"); err != nil {
		t.Fatal(err)
	}
	start := func(e config.Environment) error {
		cfg, err := config.Load[app.Config](e)
		if err != nil {
			return err
		}
		g, err := app.New(cfg, slog.New(slog.DiscardHandler), identity(t, dir, "gateway"))
		if err != nil {
			return err
		}
		return g.Close()
	}
	for _, ring := range []string{"VITAE_CV_LINK_KEYS", "VITAE_COOKIE_KEYS"} {
		if err := start(goodConfig().With(config.Environment{ring: ""})); err == nil || !strings.Contains(err.Error(), ring+" is not set") {
			t.Errorf("without %s: %v", ring, err)
		}
	}
	if err := start(goodConfig().With(config.Environment{"VITAE_RECORD_KEYS": ""})); err == nil || !strings.Contains(err.Error(), "VITAE_RECORD_KEYS is not set") {
		t.Errorf("without VITAE_RECORD_KEYS: %v", err)
	}
}
