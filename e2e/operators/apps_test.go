package operators_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/scene"
)

func TestAppsAreCreatedAndDeleted(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	account := s.Created.Developers["dev"].ID
	logo := filepath.Join(t.TempDir(), "logo.png")
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewPaletted(image.Rect(0, 0, 1024, 1024), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(logo, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	made := s.Vitaectl(t, "app", "create", "--account", account, "--name", "Made here", "--scopes", "profile", "--redirect-uri", "https://made.example/cb")
	id, _ := made["id"].(string)
	if secret, _ := made["clientSecret"].(string); !strings.HasPrefix(secret, "svc_cs_") || made["createdBy"] != "vitaectl" {
		t.Errorf("created %v", made)
	}
	changed := s.Vitaectl(t, "app", "update", id, "--name", "Changed here", "--logo", logo)
	version, _ := changed["logoVersion"].(string)
	for _, pages := range s.Stack.AppURLs {
		shown := scene.Open(t, pages+"/logos/"+id+"/"+version)
		if m, err := jpeg.Decode(bytes.NewReader(shown.Body)); shown.Status != http.StatusOK || err != nil || m.Bounds().Dx() != 512 {
			t.Errorf("the logo: %d, %v", shown.Status, err)
		}
		if got := shown.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("Cache-Control of the logo: %q", got)
		}
	}
	if listed := s.Exits(t, 0, "app", "list", "--account", account).Stdout; !strings.Contains(listed, "Changed here") || !strings.Contains(listed, "CONNECTIONS") {
		t.Errorf("the list is %s", listed)
	}
	s.Exits(t, 2, "app", "delete", id) // cannot confirm without a terminal
	s.Exits(t, 1, "app", "update", id, "--redirect-uri", "http://made.example/cb")
	s.Exits(t, 0, "app", "delete", id, "--yes")
	s.Exits(t, 1, "app", "delete", id, "--yes")
	for _, pages := range s.Stack.AppURLs {
		if shown := scene.Open(t, pages+"/logos/"+id+"/"+version); shown.Status != http.StatusNotFound {
			t.Errorf("the logo of a deleted app: %d", shown.Status)
		}
	}
	if listed := s.Exits(t, 0, "app", "list", "--account", account, "--deleted").Stdout; !strings.Contains(listed, "Changed here") {
		t.Errorf("the list with --deleted is %s", listed)
	}
}
