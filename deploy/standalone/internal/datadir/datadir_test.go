package datadir_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"vitae.internal/deploy/standalone/internal/datadir"
)

func TestFolderIsUsedByOneStackAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".vitae")
	first, err := datadir.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := datadir.Open(path); err == nil {
		t.Fatal("a second stack opened the folder of a running one")
	}
	_, err = datadir.Remove(path)
	if err == nil {
		t.Fatal("the folder of a running stack was removed")
	}
	if want := "a stack runs in " + path + ": stop it first"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := datadir.Open(path)
	if err != nil {
		t.Fatalf("the folder was not unlocked: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestSecretsAreCreatedOnceAndPrivate(t *testing.T) {
	d := open(t)
	first, err := d.Secrets("auth")
	if err != nil {
		t.Fatal(err)
	}
	second, err := d.Secrets("auth")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, second) {
		t.Error("the second start has different secrets")
	}
	keys := []string{first.CVLinkKey, first.CookieKey, first.RecordKey, first.BlobSigningKey, first.Postgres["auth"]}
	slices.Sort(keys)
	if keys[0] == "" || len(slices.Compact(keys)) != 5 {
		t.Errorf("secrets are missing or not unique")
	}
	info, err := os.Stat(d.File("secrets.json"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("secrets have mode %v, want 0600", info.Mode().Perm())
	}
	third, err := d.Secrets("auth", "candidate")
	if err != nil {
		t.Fatal(err)
	}
	if third.Postgres["auth"] != first.Postgres["auth"] || third.Postgres["candidate"] == "" {
		t.Error("a service that was added later has no password, or the password of another service has changed")
	}
}

func TestOldDataFolderGetsMissingSecrets(t *testing.T) {
	d := open(t)
	if err := d.Keep("secrets.json", []byte(`{"cvLinkKey":"bGluaw==","cookieKey":"Y29va2ll","blobSigningKey":"YmxvYg==","postgres":{"auth":"p"}}`)); err != nil {
		t.Fatal(err)
	}
	s, err := d.Secrets("auth")
	if err != nil {
		t.Fatal(err)
	}
	if s.CVLinkKey != "bGluaw==" || s.CookieKey != "Y29va2ll" || s.BlobSigningKey != "YmxvYg==" || s.Postgres["auth"] != "p" || s.RecordKey == "" {
		t.Error("a secret has changed, or the new secret is missing")
	}
}

func TestOnlyStackFoldersAreRemoved(t *testing.T) {
	precious := t.TempDir()
	if err := os.WriteFile(filepath.Join(precious, "thesis.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := datadir.Remove(precious); err == nil {
		t.Error("a folder that no stack created was removed")
	}
	if gone, err := datadir.Remove(filepath.Join(precious, "nothing")); err != nil || len(gone) > 0 {
		t.Errorf("%q was removed for a missing folder: %v", gone, err)
	}
	d := open(t)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if gone, err := datadir.Remove(d.Path); err != nil || !slices.Equal(gone, []string{d.Path}) {
		t.Fatalf("removed %q, %v", gone, err)
	}
	if _, err := os.Stat(d.Path); !os.IsNotExist(err) {
		t.Error("the folder still exists")
	}
}

func open(t *testing.T) *datadir.Dir {
	t.Helper()
	d, err := datadir.Open(filepath.Join(t.TempDir(), ".vitae"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}
