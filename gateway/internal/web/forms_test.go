package web_test

import (
	"net/url"
	"testing"

	"vitae.internal/gateway/internal/web"
)

func FuzzLocalPathNeverLeavesSite(f *testing.F) {
	for _, seed := range []string{
		"/apps", "/apps?x=1", "//evil.example", `/\evil.example`, "//evil.example/apps", "https://evil.example/apps", "/apps#x", "/%61pps",
		"/apps/../sign-out", "/./apps", "apps", "?x", "", "http:/apps", "/\t/apps", "/apps?a\r\nSet-Cookie: x",
	} {
		f.Add(seed)
	}
	site, err := url.Parse(consoleURL + "/sign-in")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		path, query, ok := web.LocalPath(s, func(path string) bool { return path == "/apps" })
		if !ok {
			return
		}
		to, err := site.Parse(path + "?" + url.PathEscape(query))
		if err != nil || to.Scheme != site.Scheme || to.Host != site.Host || to.Path != "/apps" {
			t.Fatalf("%q leads to %v, %v", s, to, err)
		}
	})
}
