package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestSingleLanguageSiteHasNoSwitch(t *testing.T) {
	_, handler := newConsole(t)
	b := newBrowser(t, handler)
	if page := b.get("/sign-in"); strings.Contains(page.Body.String(), "/language") {
		t.Errorf("the page has a language switch: %s", page.Body)
	}
	if a := b.send(http.MethodPost, "/language", url.Values{"language": {"en"}, "return": {"/sign-in"}}); a.Code != http.StatusNotFound {
		t.Errorf("the language switch returns %d", a.Code)
	}
}
