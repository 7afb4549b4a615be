package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/pkg/config"
)

type secrets struct {
	Password string `env:"VITAE_PASSWORD,required,notEmpty"`
	Other    string `env:"VITAE_OTHER"`
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSettingIsReadFromFile(t *testing.T) {
	secret := file(t, "open sesame\n")
	got, err := config.Load[secrets](config.Environment{"VITAE_PASSWORD_FILE": secret, "VITAE_PASSWORD": "", "VITAE_OTHER_FILE": "", "VITAE_OTHER": "x"})
	if err != nil || got.Password != "open sesame" || got.Other != "x" {
		t.Fatalf("%+v, %v", got, err)
	}
	// An empty file is treated as an empty variable.
	got, err = config.Load[secrets](config.Environment{"VITAE_PASSWORD_FILE": file(t, ""), "VITAE_PASSWORD": "direct"})
	if err != nil || got.Password != "direct" {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestUnusableSecretFileIsNamed(t *testing.T) {
	secret := file(t, "open sesame")
	for name, e := range map[string]config.Environment{
		"both":    {"VITAE_PASSWORD_FILE": secret, "VITAE_PASSWORD": "other"},
		"missing": {"VITAE_PASSWORD_FILE": secret + "-"},
		"folder":  {"VITAE_PASSWORD_FILE": filepath.Dir(secret)},
		"large":   {"VITAE_PASSWORD_FILE": file(t, strings.Repeat("x", 64<<10+1))},
		"empty":   {"VITAE_PASSWORD_FILE": file(t, "\n")},
	} {
		_, err := config.Load[secrets](e)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if text := err.Error(); !strings.Contains(text, "VITAE_PASSWORD") || strings.Contains(text, "open sesame") || strings.Contains(text, "other") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestOnlyVitaeSettingsAreReadFromFiles(t *testing.T) {
	if _, err := config.Load[struct{}](config.Environment{"SSL_CERT_FILE": "/nowhere"}); err != nil {
		t.Error(err)
	}
}
