package console

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var again = regexp.MustCompile(`<a class="button primary" href="([^"]*)">Open the page again</a>`)

// Some addresses take posts alone. A form of such an address stands on another page.
func TestARefusedFormLeadsToAPage(t *testing.T) {
	t.Parallel()
	routes, pages := (&Console{}).routes(), http.NewServeMux()
	for _, route := range routes {
		if route.Get != nil {
			pages.Handle(route.Path, http.NotFoundHandler())
		}
	}
	b := signedIn(t, newBackend(), member(owner, "dev_1", "dev_2"))
	ids := strings.NewReplacer("{app}", "app_1", "{secret}", "sec_1", "{key}", "key_1", "{person}", "usr_1", "{invitation}", "inv_1")
	for _, route := range routes {
		if route.Post == nil {
			continue
		}
		path := ids.Replace(route.Path)
		res := b.bare(path, url.Values{"csrf": {"of another session"}})
		found := again.FindStringSubmatch(body(t, res))
		if res.StatusCode != http.StatusForbidden || found == nil {
			t.Errorf("%s: %d, and no page to open again", path, res.StatusCode)
			continue
		}
		_, page := pages.Handler(httptest.NewRequestWithContext(t.Context(), http.MethodGet, consoleURL+found[1], nil))
		if page == "" || route.Get != nil && found[1] != path {
			t.Errorf("%s leads to %s, where no form of it is", path, found[1])
		}
	}
}
