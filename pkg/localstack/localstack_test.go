package localstack

import (
	"errors"
	"io/fs"
	"testing"
)

func TestLoadReturnsSavedStack(t *testing.T) {
	dir := t.TempDir()
	want := Stack{
		GRPC:    GRPC{Auth: "127.0.0.1:9101", PartnerCatalog: "127.0.0.1:9102", Candidate: "127.0.0.1:9103", CVRender: "127.0.0.1:9104"},
		TLS:     TLS{CA: "/d/ca.pem", Cert: "/d/vitaectl.pem", Key: "/d/vitaectl-key.pem"},
		BaseURL: "http://127.0.0.1:8080", AppURL: "http://127.0.0.1:8081", LegacyBaseURL: "http://127.0.0.1:8082", ConsoleURL: "http://127.0.0.1:8083",
		PartnerURL: "http://127.0.0.1:8090",
	}
	for range 2 { // the second save replaces the first
		if err := Save(dir, want); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("Load returned %+v, want %+v", got, want)
	}
}

func TestLoadWithoutStackReturnsErrNotExist(t *testing.T) {
	if _, err := Load(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load returned %v, want fs.ErrNotExist", err)
	}
}
