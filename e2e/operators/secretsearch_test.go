package operators_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
)

// secretSearch searches for secrets in everything that a stack stores, logs and reports.
type secretSearch struct {
	t     testing.TB
	forms map[string][][]byte // encodings of each secret
}

func (secrets planted) search() *secretSearch {
	s := &secretSearch{forms: map[string][][]byte{}}
	for what, secret := range secrets {
		s.forms[what] = [][]byte{
			[]byte(secret), []byte(url.QueryEscape(secret)), []byte(hex.EncodeToString([]byte(secret))), []byte(strings.ToUpper(hex.EncodeToString([]byte(secret)))),
		}
		for offset := range 3 {
			s.forms[what] = append(s.forms[what], inBase64(secret, offset))
		}
	}
	return s
}

// inBase64 returns the base64 characters of a secret that begins offset bytes after the start of a three-byte
// group. It omits the characters at both ends, because they depend on the neighboring bytes.
func inBase64(secret string, offset int) []byte {
	text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", offset) + secret))
	first := (offset*8 + 5) / 6
	last := (offset + len(secret)) * 8 / 6
	return []byte(text[first:last])
}

// found reports whether text contains a secret, and fails the test if it does.
func (s *secretSearch) found(where string, text []byte) bool {
	for what, forms := range s.forms {
		for i, form := range forms {
			at := bytes.Index(text, form)
			if at < 0 {
				continue
			}
			if s.t != nil {
				s.t.Errorf("%s contains the %s (encoding %d): …%q…", where, what, i, text[max(0, at-120):min(len(text), at+len(form)+40)])
			}
			return true
		}
	}
	return false
}

// metrics searches the metrics and the other operations endpoints of every service.
func (s *secretSearch) metrics(on *stack.Stack) {
	seen := map[string]bool{}
	for _, service := range []string{"auth", "partnercatalog", "candidate", "cvrender", "gateway"} {
		for _, p := range on.Services(service) {
			address, ok := p.Env("VITAE_OPS_ADDR")
			if !ok || seen[address] {
				continue
			}
			seen[address] = true
			for _, path := range []string{"/metrics", "/readyz", "/debug/pprof/cmdline"} {
				a := scene.Open(s.t, "http://"+address+path)
				if path == "/metrics" && (a.Status != http.StatusOK || !bytes.Contains(a.Body, []byte("go_goroutines"))) {
					s.t.Errorf("%s has no metrics: %s", service, a)
				}
				s.found(service+path, a.Body)
			}
		}
	}
	if len(seen) < 6 {
		s.t.Errorf("metrics of %d processes, want four services and two gateways", len(seen))
	}
}

// files searches every file in the data folder, including the logs and the files of Postgres with its
// write-ahead log. Secrets are allowed in the folder of the resumes, and in the files from which the
// next start reads keys and passwords.
func (s *secretSearch) files(on *stack.Stack) {
	logs := 0
	search := func(file string) error {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if strings.HasSuffix(file, ".log") {
			logs++
		}
		s.found(file, raw)
		return nil
	}
	resumeFolders := 0
	err := filepath.WalkDir(on.Dir(), func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "resumes":
			resumeFolders++
			return filepath.SkipDir
		case !entry.Type().IsRegular(), secretFile(file):
			return nil
		}
		return search(file)
	})
	if err == nil {
		err = search(on.Dir() + ".log")
	}
	if err != nil {
		s.t.Error(err)
	}
	if logs < 2 || resumeFolders != 1 {
		s.t.Errorf("%d logs and %d folders of resumes", logs, resumeFolders)
	}
}

// secretFile reports whether a file in the data folder is meant to contain secrets.
func secretFile(file string) bool {
	switch filepath.Base(file) {
	case "secrets.json", "redis.conf", "redis.env", "password":
		return true
	}
	return false
}
