package app_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/pkg/testkit"
)

// The scene signs its links and photo URLs with the key "a".
func TestLinkKeysCanBeRotated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ring   []string
		signs  string
		status int
	}{
		"before":              {[]string{"a"}, "a", http.StatusOK},
		"the new key is last": {[]string{"a", "b"}, "a", http.StatusOK},
		"the new key signs":   {[]string{"b", "a"}, "b", http.StatusOK},
		"the old key is gone": {[]string{"b"}, "b", http.StatusNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, set("VITAE_CV_LINK_KEYS", testkit.Keys(c.ring...)))
			if a := s.link(); a.StatusCode != c.status {
				t.Errorf("a link that the partner has stored: %d, want %d", a.StatusCode, c.status)
			}
			if a := s.openPhoto(); a.StatusCode != c.status {
				t.Errorf("a photo URL that the partner has stored: %d, want %d", a.StatusCode, c.status)
			}
			signer, err := signedurl.New(testkit.Ring("cv_link", c.signs), baseURL)
			if err != nil {
				t.Fatal(err)
			}
			if a := s.get("/v1/me/cv"); !strings.Contains(a.body, `"url":"`+signer.CVLink(linkID)+`"`) {
				t.Errorf("the link in a new response is not signed with %s: %s", c.signs, a.body)
			}
			if a := s.do(http.MethodGet, strings.TrimPrefix(signer.CVLink(linkID), baseURL), ""); a.StatusCode != http.StatusOK {
				t.Errorf("the link in a new response: %d", a.StatusCode)
			}
		})
	}
}
