package app_test

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"vitae.internal/gateway/app"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/mtls"
)

// behaviour: profiles#external-editor
func TestProfileURLMustBeHTTP(t *testing.T) {
	t.Parallel()
	log, dir := slog.New(slog.NewTextHandler(io.Discard, nil)), t.TempDir()
	if err := mtls.Issue(dir, "gateway"); err != nil {
		t.Fatal(err)
	}
	for address, starts := range map[string]bool{
		"": true, "https://host.example/me?tab=cv": true, "http://127.0.0.1:9000/": true,
		"host.example/me": false, "javascript:alert(1)": false, "https://": false, "https://user:secret@host.example": false, "ftp://host.example": false,
	} {
		cfg, err := config.Load[app.Config](goodConfig().With(config.Environment{"VITAE_PROFILE_URL": address}))
		if err != nil {
			t.Fatal(err)
		}
		g, err := app.New(cfg, log, identity(t, dir, "gateway"))
		if err == nil {
			err = g.Close()
		}
		if refused := err != nil && strings.Contains(err.Error(), "VITAE_PROFILE_URL"); refused == starts {
			t.Errorf("%q: %v", address, err)
		}
	}
}
