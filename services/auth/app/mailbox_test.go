package app_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// newSignIn is the subject of the notice sent after a sign-in from a new browser.
const newSignIn = "Subject: New sign-in to your account"

// Returns the emails to an address, oldest first, except sign-in notices.
func (w *world) mails(to string) (all []string) {
	w.Helper()
	files, err := filepath.Glob(filepath.Join(w.cfg.Mail.Dir, "*.eml"))
	w.must(err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		w.must(err)
		if text := strings.ReplaceAll(string(raw), "\r\n ", " "); strings.Contains(text, "To: <"+to+">") && !strings.Contains(text, newSignIn) {
			all = append(all, text)
		}
	}
	return all
}

// awaitMail waits until an address has received n emails, and returns the last one.
func (w *world) awaitMail(to string, n int) string {
	w.Helper()
	var all []string
	eventually(w, fmt.Sprintf("mail %d to %s", n, to), func() bool {
		all = w.mails(to)
		return len(all) >= n
	})
	return all[n-1]
}

// last returns the latest email to an address, or "" if there is none.
func (w *world) last(to string) string {
	w.Helper()
	all := w.mails(to)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

var link = regexp.MustCompile(`token=([\w.%-]+)`)

// tokenIn returns the token in an email's link.
func (w *world) tokenIn(mail string) string {
	w.Helper()
	plain := strings.NewReplacer("=\r\n", "", "=3D", "=").Replace(mail)
	found := link.FindStringSubmatch(plain)
	if found == nil {
		w.Fatalf("no link in %s", plain)
	}
	token, err := url.QueryUnescape(found[1])
	w.must(err)
	return token
}
