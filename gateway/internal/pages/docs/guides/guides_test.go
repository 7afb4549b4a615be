package guides

import (
	"strings"
	"testing"
	"testing/fstest"

	"vitae.internal/docs"
)

var somewhere = Addresses{Base: "https://api.vitae.example", App: "https://vitae.example", Legacy: "https://old.vitae.example", Console: "https://console.vitae.example"}

func TestGuidesNameThisDeployment(t *testing.T) {
	all, err := Render(docs.Files, docs.Guides, nil, somewhere)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(docs.Guides) {
		t.Fatalf("%d guides were rendered", len(all))
	}
	for _, g := range all {
		html := string(g.HTML)
		if g.Title == "" || !strings.HasPrefix(html, "<h1") || strings.Count(html, "<h1") != 1 {
			t.Errorf("%s: title %q, %d headings", g.Path, g.Title, strings.Count(html, "<h1"))
		}
		for _, local := range []string{docs.BaseURL, docs.AppURL, docs.LegacyURL, docs.ConsoleURL} {
			if strings.Contains(html, local) {
				t.Errorf("%s still names %s", g.Path, local)
			}
		}
		if strings.Contains(html, "<script") || strings.Contains(html, " style=") {
			t.Errorf("%s contains what its policy forbids", g.Path)
		}
	}
}

func TestLinksBetweenFilesBecomePageLinks(t *testing.T) {
	list := []docs.Guide{{Name: "one", Label: "One", File: "guides/one.md"}, {Name: "two", Label: "Two", File: "two.md"}}
	files := func(link string) fstest.MapFS {
		return fstest.MapFS{
			"guides/one.md": {Data: []byte("# One `x` & *more*\n\nLead.\n\n## A\n\n[there](" + link + ") <b> `A_CODE` [`A_CODE`](#a)\n\n## B `A_CODE`\n\n| a |\n|-|\n| http://127.0.0.1:8080/v1 |\n")},
			"two.md":        {Data: []byte("# Two\n")},
		}
	}
	all, err := Render(files("../two.md#here"), list, []string{"A_CODE"}, somewhere)
	if err != nil {
		t.Fatal(err)
	}
	html := string(all[0].HTML)
	for _, want := range []string{
		`<p class="lead">Lead.</p>`, `<a href="/docs/two#here">there</a> <!-- raw HTML omitted -->`, "https://api.vitae.example/v1",
		"<table>", `<h2 id="a">A</h2>`, `--> <a href="/docs/errors/A_CODE"><code>A_CODE</code></a> <a href="#a"><code>A_CODE</code></a>`, `B <code>A_CODE</code></h2>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is missing in %s", want, html)
		}
	}
	if all[0].Title != "One x & more" || all[0].Path != "/docs/one" || strings.Count(html, "<section") != 2 || strings.Count(html, "</section>") != 2 {
		t.Errorf("the guide is %+v", all[0])
	}
	for _, dead := range []string{"three.md", "../../examples/partner-app", "/docs/one"} {
		if _, err := Render(files(dead), list, []string{"A_CODE"}, somewhere); err == nil {
			t.Errorf("a link to %s is accepted", dead)
		}
	}
	if _, err := Render(fstest.MapFS{"x.md": {Data: []byte("No title\n")}}, []docs.Guide{{Name: "x", Label: "X", File: "x.md"}}, nil, somewhere); err == nil {
		t.Error("a page without a title is accepted")
	}
}
