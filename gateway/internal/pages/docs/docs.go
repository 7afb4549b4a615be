// Package docs serves the documentation for partners: guides, the API reference, error codes and a
// search. All pages are made when the gateway starts.
package docs

import (
	"embed"
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/pages/docs/guides"
	"vitae.internal/gateway/internal/pages/docs/search"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
)

// Paths of the documentation that no guide has.
const (
	// documentPath is where the OpenAPI document can be read from the site itself.
	documentPath = "/docs/openapi.json"
	searchPath   = "/docs/search"
)

// Files has the templates, styles and scripts.
//
//go:embed templates static
var Files embed.FS

// policy is the Content-Security-Policy of the pages for partners: those of the site's
// scripts that copy code may run.
var policy = web.Policy{Scripts: true}

// Config is what the documentation is made of.
type Config struct {
	// Addresses are those that the guides name.
	Addresses guides.Addresses
	// OpenAPI serves the OpenAPI document, Specification is that document.
	OpenAPI       http.Handler
	Specification []byte
}

// Routes returns the pages for partners.
func Routes(sh *shell.Shell, cfg Config) ([]shell.Route, error) {
	d, err := newDocumentation(sh, cfg)
	return shell.To("", []web.Route{
		{Path: "/docs", Get: d.page},
		{Path: documentPath, Get: d.document},
		{Path: searchPath, Get: d.find},
		{Path: guides.Prefix + "{page...}", Get: d.page},
	}), err
}

// documentation has all pages for partners.
type documentation struct {
	*shell.Shell
	// pages are all pages by path.
	pages    map[string]page
	sections []section
	index    search.Index
	// console is the address of the developer console.
	console string
	// openapi serves the OpenAPI document.
	openapi http.Handler
}

// view is what a page for partners shows.
type view struct {
	page
	// Sections are the list of pages, Console the address of the developer console.
	Sections []section
	Console  string
	// Query is what was searched for, Found what was found.
	Query string
	Found []search.Hit
}

// page shows a guide, a page of the reference or a code, or says among the same pages that
// there is none at the address (behaviour: pages#partner-pages).
func (d documentation) page(w http.ResponseWriter, r *http.Request) error {
	p, there := d.pages[r.URL.Path]
	if !there {
		w.Header().Set("X-Robots-Tag", "noindex")
		return d.show(w, r, http.StatusNotFound, view{page: page{template: "docsmissing", Title: "No such page", Path: r.URL.Path}})
	}
	return d.show(w, r, http.StatusOK, view{page: p})
}

// find shows what a query finds (behaviour: pages#search).
func (d documentation) find(w http.ResponseWriter, r *http.Request) error {
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	query = query[:min(len(query), maxQuery)]
	w.Header().Set("X-Robots-Tag", "noindex")
	return d.show(w, r, http.StatusOK, view{
		page:  page{template: "search", Title: "Search", Path: searchPath},
		Query: strings.ToValidUTF8(query, ""), Found: d.index.Find(query),
	})
}

// maxQuery is the length of a query in bytes; what is beyond is not looked for.
const maxQuery = 200

// show answers with a page for partners.
func (d documentation) show(w http.ResponseWriter, r *http.Request, status int, v view) error {
	v.Sections, v.Console = d.sections, d.console
	web.Shared(w.Header())
	w.Header().Set(web.PolicyHeader, policy.String())
	return d.RenderIn(w, r, "en", status, v.template, web.View{Title: v.Title, Data: v})
}

// document serves the OpenAPI document, byte for byte as the REST API does.
func (d documentation) document(w http.ResponseWriter, r *http.Request) error {
	w.Header().Del("Vary")
	d.openapi.ServeHTTP(w, r)
	return nil
}
