package app_test

import (
	"strings"
	"testing"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/grpcserver/servertest"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/services/candidate/app"
)

func TestDefaultsSuitLocalStack(t *testing.T) {
	t.Parallel()
	cfg, err := config.Load[app.Config](config.Environment{"VITAE_POSTGRES_URL": "postgres://x"})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Addr != "127.0.0.1:9103" || cfg.AppURL != "http://127.0.0.1:8081" ||
		cfg.PartnerCatalogAddr != "127.0.0.1:9102" {
		t.Errorf("the configuration is %+v", cfg)
	}
	if _, err := config.Load[app.Config](config.Environment{}); err == nil {
		t.Error("the service would start without a database")
	}
}

func TestReadinessDependsOnDatabase(t *testing.T) {
	t.Parallel()
	a := newApp(t, certificates(t), "127.0.0.1:1")
	if err := a.Ready(t.Context()); err != nil {
		t.Errorf("with a database: %v", err)
	}
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Ready(t.Context()); err == nil {
		t.Error("ready without a database")
	}
}

func TestAppURLMustBeAbsolute(t *testing.T) {
	t.Parallel()
	identity := servertest.Identity(t, certificates(t), app.Name)
	for _, address := range []string{"", "vitae.example", "/p", "http://"} {
		cfg := app.Config{
			AppURL: address, CVRenderAddr: "127.0.0.1:1", PartnerCatalogAddr: "127.0.0.1:1", Postgres: pkgpostgres.Config{URL: "postgres://nowhere", MaxConns: 1},
		}
		if _, err := app.New(t.Context(), cfg, quiet, identity); err == nil || !strings.Contains(err.Error(), "VITAE_APP_URL") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
