package demo_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"vitae.internal/deploy/standalone/internal/datadir"
	"vitae.internal/deploy/standalone/internal/demo"
)

const world = `{
  "people": [{"ref": "p", "name": "Layla", "email": "layla@example.org", "password": "secret"}, {"ref": "late", "name": "Late"}],
  "developers": [{"ref": "d", "name": "Dev", "members": [{"person": "p", "role": "owner"}, {"person": "gone", "role": "viewer"}], "apps": [
    {"ref": "mobile", "name": "Mobile", "clientType": "public", "redirectUris": ["http://127.0.0.1/callback"]},
    {"ref": "site", "name": "Site", "clientType": "confidential", "redirectUris": ["https://site.example/cb", "http://127.0.0.1:8090/callback"],
     "apiKeys": [{"ref": "k", "name": "Feed", "scopes": ["jobs:read"]}, {"ref": "newer", "name": "Newer", "scopes": []}]}
  ]}]
}`

const printed = `{"people": {"p": {"id": "u1"}}, "developers": {"d": {"id": "d1"}},
  "apps": {"mobile": {"id": "a1", "clientId": "c1"}, "site": {"id": "a2", "clientId": "c2", "clientSecret": "s2"}},
  "apiKeys": {"k": {"id": "k1", "key": "svc_sk_1"}}}`

func TestDemoWorldIsPrintedAtEveryStart(t *testing.T) {
	d, err := datadir.Open(filepath.Join(t.TempDir(), ".vitae"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	file := filepath.Join(t.TempDir(), "world.json")
	if err := os.WriteFile(file, []byte(world), 0o600); err != nil {
		t.Fatal(err)
	}
	if w, err := demo.Read(d, file); err != nil || len(w.People) > 0 {
		t.Fatalf("before the seed: %+v, error %v; want nothing", w, err)
	}
	if err := d.Keep("world.out.json", []byte(printed)); err != nil {
		t.Fatal(err)
	}
	w, err := demo.Read(d, file)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.People) != 1 || w.People[0].Password != "secret" || len(w.Apps) != 2 {
		t.Fatalf("read %+v", w)
	}
	if !reflect.DeepEqual(w.Developers[0], demo.Developer{Name: "Dev", ID: "d1", Members: []string{"Layla (owner)"}}) || w.Apps[1].ID != "a2" {
		t.Errorf("developers %+v, apps %+v", w.Developers, w.Apps)
	}
	if len(w.Keys) != 1 || w.Keys[0].App != "Site" || w.Keys[0].Key != "svc_sk_1" || w.Keys[0].Scopes[0] != "jobs:read" {
		t.Errorf("keys %+v", w.Keys)
	}
	app, ok := w.Partner("http://127.0.0.1:8090")
	if !ok || app.ClientID != "c2" || app.ClientSecret != "s2" {
		t.Errorf("the partner site's app is %+v (%v), want the confidential one", app, ok)
	}
	if app, ok := w.Partner("https://other.example"); ok {
		t.Errorf("a site without a registered app gets %+v", app)
	}
}

func TestExistingDatabasesAreNotSeeded(t *testing.T) {
	d, err := datadir.Open(filepath.Join(t.TempDir(), ".vitae"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	// This folder contains no vitaectl, so running it would fail.
	if err := demo.Seed(t.Context(), d, t.TempDir(), "world.json"); err != nil {
		t.Error(err)
	}
	if err := demo.Await(d); err != nil {
		t.Fatal(err)
	}
	if err := demo.Seed(t.Context(), d, t.TempDir(), "world.json"); err == nil {
		t.Error("new databases were not seeded")
	}
}
