package settings_test

import (
	"slices"
	"testing"

	"vitae.internal/deploy/standalone/internal/settings"
	"vitae.internal/pkg/config"
)

func load(t *testing.T, e config.Environment) settings.Settings {
	t.Helper()
	s, err := settings.Load(e.With(config.Environment{"VITAE_WORLD": "none"}), "/clone/bin")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestURLsDefaultToListenAddresses(t *testing.T) {
	s := load(t, config.Environment{"VITAE_PUBLIC_ADDR": "127.0.0.1:7000", "VITAE_APP_URL": "https://vitae.example"})
	if s.BaseURL != "http://127.0.0.1:7000" || s.AppURL != "https://vitae.example" {
		t.Errorf("base URL %s, app URL %s", s.BaseURL, s.AppURL)
	}
}

func TestReplicasListenAHundredPortsApart(t *testing.T) {
	s := load(t, config.Environment{"VITAE_GATEWAY_REPLICAS": "3"})
	e, err := s.Replica(2)
	if err != nil {
		t.Fatal(err)
	}
	want := settings.Addresses{PublicAddr: "127.0.0.1:8280", AppAddr: "127.0.0.1:8281", LegacyAddr: "127.0.0.1:8282", ConsoleAddr: "127.0.0.1:8283"}
	if e != want {
		t.Errorf("the third replica listens on %+v, want %+v", e, want)
	}
}

func TestOperationsPortsDoNotCollide(t *testing.T) {
	s := load(t, config.Environment{"VITAE_OPS_ADDR": "127.0.0.1:7000", "VITAE_AUTH_GRPC_ADDR": "127.0.0.1:7002", "PARTNER_ADDR": "127.0.0.1:7004"})
	somebody := func(addr string) bool { return addr != "127.0.0.1:7003" }
	got, err := s.PartsOps(3, somebody)
	if want := []string{"127.0.0.1:7001", "127.0.0.1:7005", "127.0.0.1:7006"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	s = load(t, config.Environment{"VITAE_OPS_ADDR": "127.0.0.1:65533"})
	if got, err := s.PartsOps(3, func(string) bool { return true }); err == nil {
		t.Errorf("got three ports after 65533: %v", got)
	}
}

func TestInvalidSettingsAreRejected(t *testing.T) {
	for name, e := range map[string]config.Environment{
		"no replica":        {"VITAE_GATEWAY_REPLICAS": "0"},
		"port out of range": {"VITAE_PUBLIC_ADDR": "127.0.0.1:65500", "VITAE_GATEWAY_REPLICAS": "2"},
		"no port":           {"VITAE_APP_ADDR": "127.0.0.1"},
		"no such world":     {"VITAE_WORLD": "/nonexistent/world.json"},
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := settings.Load(config.Environment{"VITAE_WORLD": "none"}.With(e), "/clone/bin"); err == nil {
				t.Errorf("accepted as %+v", s)
			}
		})
	}
}

// The test searches each service's whole environment for secrets of other services.
func TestServicesGetOnlyTheirOwnSecrets(t *testing.T) {
	base := config.Environment{
		"VITAE_POSTGRES_URL": "postgres://superuser", "VITAE_POSTGRES_MIGRATION_URL": "postgres://superuser",
		"VITAE_REDIS_URL": "redis://shared", "VITAE_WORLD": "none",
		"VITAE_AUTH_CODE_LIFE": "1m", "VITAE_CV_LINK_KEYS": "of-the-shell",
		"VITAE_COOKIE_KEYS": "of-the-shell", "VITAE_RECORD_KEYS": "of-the-shell",
		"VITAE_BLOB_SIGNING_KEYS": "of-the-shell",
	}
	plan := settings.Plan{
		Settings: load(t, base), Base: base, TLSDir: "/tls",
		Secrets: settings.Secrets{CVLinkKey: "link-key", CookieKey: "cookie-key", RecordKey: "record-key", BlobSigningKey: "blob-key"},
		Backing: settings.Backing{Redis: map[string]string{"auth": "redis://auth", "gateway": "redis://gateway"}, Postgres: map[string]string{
			"auth": "postgres://auth", "candidate": "postgres://candidate", "partnercatalog": "postgres://partnercatalog",
		}, Owners: map[string]string{"auth": "postgres://auth-owner", "candidate": "postgres://candidate-owner"}},
	}
	edge, err := plan.Settings.Replica(0)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{
		"auth owner": "postgres://auth-owner", "candidate owner": "postgres://candidate-owner",
		"superuser": "postgres://superuser", "auth": "postgres://auth", "candidate": "postgres://candidate",
		"partnercatalog": "postgres://partnercatalog", "redis": "redis://shared", "redis of auth": "redis://auth", "redis of gateway": "redis://gateway", "link key": "local:link-key", "cookie key": "local:cookie-key",
		"record key": "local:record-key", "blob key": "local:blob-key", "key of the shell": "of-the-shell",
	}
	for _, c := range []struct {
		part string
		env  config.Environment
		may  []string
	}{
		{"auth", plan.Auth(), []string{"auth", "auth owner", "redis of auth", "record key"}},
		{"partnercatalog", plan.PartnerCatalog(), []string{"partnercatalog"}},
		{"candidate", plan.Candidate(), []string{"candidate", "candidate owner", "blob key"}},
		{"cvrender", plan.CVRender(), nil},
		{"gateway", plan.Gateway(edge), []string{"redis of gateway", "link key", "cookie key", "record key"}},
	} {
		t.Run(c.part, func(t *testing.T) {
			held := map[string]bool{}
			for _, value := range c.env {
				for secret, v := range all {
					held[secret] = held[secret] || value == v
				}
			}
			for _, secret := range c.may {
				if !held[secret] {
					t.Errorf("lacks %s", secret)
				}
				delete(held, secret)
			}
			for secret, has := range held {
				if has {
					t.Errorf("gets %s", secret)
				}
			}
			if c.env["VITAE_AUTH_CODE_LIFE"] != "1m" {
				t.Error("a setting for one service is not passed on")
			}
		})
	}
}

func TestResumesGoToDataFolderOrBucket(t *testing.T) {
	plan := settings.Plan{Backing: settings.Backing{ResumesDir: "/data of mine/resumes"}}
	if got := plan.Candidate()["VITAE_BLOB_URL"]; got != "file:///data%20of%20mine/resumes?create_dir=true" {
		t.Errorf("got %s", got)
	}
	plan.Base = config.Environment{"VITAE_BLOB_URL": "s3://resumes"}
	if got := plan.Candidate()["VITAE_BLOB_URL"]; got != "s3://resumes" {
		t.Errorf("got %s", got)
	}
	if got, there := plan.PartnerCatalog()["VITAE_BLOB_URL"]; there {
		t.Errorf("partnercatalog gets %s", got)
	}
}

func TestMailGoesToDataFolderOrServer(t *testing.T) {
	plan := settings.Plan{Backing: settings.Backing{MailDir: "/data/mail"}}
	if e := plan.Auth(); e["VITAE_MAIL_DIR"] != "/data/mail" || e["VITAE_SMTP_URL"] != "" {
		t.Errorf("got %v", e)
	}
	plan.Base = config.Environment{"VITAE_SMTP_URL": "smtp://user:password@mail.example.com"}
	if e := plan.Auth(); e["VITAE_MAIL_DIR"] != "" || e["VITAE_SMTP_URL"] != plan.Base["VITAE_SMTP_URL"] {
		t.Errorf("got %v", e)
	}
	for name, e := range map[string]config.Environment{"candidate": plan.Candidate(), "gateway": plan.Gateway(settings.Addresses{})} {
		if got, there := e["VITAE_SMTP_URL"]; there {
			t.Errorf("%s gets %s", name, got)
		}
	}
}
