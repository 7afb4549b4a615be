package stack

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitae.internal/deploy/standalone/internal/datadir"
	"vitae.internal/deploy/standalone/internal/demo"
	"vitae.internal/deploy/standalone/internal/settings"
	"vitae.internal/pkg/config"
)

// said returns the text that a stack with the given data folder, world and environment prints after
// its start.
func said(t *testing.T, dataDir string, w demo.World, e config.Environment) string {
	t.Helper()
	set, err := settings.Load(e.With(config.Environment{"VITAE_WORLD": "none", "VITAE_DATA_DIR": dataDir}), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := Stack{settings: set, dir: &datadir.Dir{Path: set.DataDir}, plan: settings.Plan{Base: e}, world: w}
	s.announce(&out, time.Second)
	return out.String()
}

var seeded = demo.World{
	People:     []demo.Person{{Name: "Layla", Email: "layla@example.org", Password: "secret"}},
	Developers: []demo.Developer{{Name: "Rasheed FZ", ID: "dev_1", Members: []string{"Layla (owner)", "Aisha (viewer)"}}},
	Apps: []demo.App{{
		ID: "app_1", Name: "Rasheed", ClientType: "confidential", ClientID: "svc_ci_1", ClientSecret: "svc_cs_1",
		RedirectURIs: []string{"http://127.0.0.1:8090/callback"},
	}},
	Keys: []demo.Key{{App: "Rasheed", Name: "ATS", Key: "svc_sk_1", Scopes: []string{"jobs:read"}}},
}

func TestAnnouncementListsWhatRuns(t *testing.T) {
	own := demo.World{People: seeded.People, Developers: seeded.Developers}
	for name, c := range map[string]struct {
		dataDir    string
		world      demo.World
		env        config.Environment
		says, keep []string // what it prints, and what it must not print
	}{
		"the demo": {".vitae", seeded, nil,
			[]string{"dev_1", "Layla (owner), Aisha (viewer)", "app_1", "svc_ci_1", "svc_cs_1", "svc_sk_1", "world.out.json", "Sign in as Layla", "http://127.0.0.1:8082", "`make clean-data`", ": bin/vitaectl --help",
				"Open the developer console at http://127.0.0.1:"},
			[]string{"import FILE", "not running", "platform is off", "VITAE_DATA_DIR"}},
		"nothing seeded": {".vitae", demo.World{}, nil,
			[]string{"bin/vitaectl import FILE adds", "not running"}, []string{"world.out.json", "Sign in", "developer console"}},
		"a world without an app for the partner site": {".vitae", own, nil,
			[]string{"Layla", "not running", "http://127.0.0.1:8090"}, []string{"import FILE", "Sign in with Vitae"}},
		"another data folder": {"/tmp/it's here", demo.World{}, nil,
			[]string{`VITAE_DATA_DIR='/tmp/it'\''s here' bin/vitaectl import`, `VITAE_DATA_DIR='/tmp/it'\''s here' make clean-data`}, nil},
		"the platform off": {".vitae", seeded, config.Environment{"VITAE_DEVELOPER_PLATFORM": "off"},
			[]string{"platform is off", "DEVELOPER_PLATFORM_DISABLED"}, []string{"Sign in with Vitae", "curl"}},
	} {
		got := said(t, c.dataDir, c.world, c.env)
		for _, want := range c.says {
			if !strings.Contains(got, want) {
				t.Errorf("%s: does not print %q:\n%s", name, want, got)
			}
		}
		for _, unwanted := range c.keep {
			if strings.Contains(got, unwanted) {
				t.Errorf("%s: prints %q:\n%s", name, unwanted, got)
			}
		}
	}
}

func TestAnnouncementNamesFileOfIDs(t *testing.T) {
	if got := said(t, ".vitae", seeded, nil); !strings.Contains(got, filepath.Join(".vitae", demo.Printed)+"\n") {
		t.Errorf("printed\n%s", got)
	}
}
