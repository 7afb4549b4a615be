// Package docs serves the documentation for partners: guides, the API reference, error codes and a
// search. All pages are rendered when the gateway starts.
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

// Paths in the documentation that do not belong to a guide.
const (
	// documentPath serves the OpenAPI document from the same site.
	documentPath = "/docs/openapi.json"
	searchPath   = "/docs/search"
)

// Files contains the templates, styles and scripts.
//
//go:embed templates static
var Files embed.FS

// policy is the Content-Security-Policy of the documentation. It allows the site's own scripts,
// which copy code.
var policy = web.Policy{Scripts: true}

// Config configures the documentation.
type Config struct {
	// Addresses are the URLs that the guides mention.
	Addresses guides.Addresses
	// OpenAPI serves the OpenAPI document. Specification is that document.
	OpenAPI       http.Handler
	Specification []byte
}

// Routes returns the routes of the documentation.
func Routes(sh *shell.Shell, cfg Config) ([]shell.Route, error) {
	d, err := newDocumentation(sh, cfg)
	return shell.To("", []web.Route{
		{Path: "/docs", Get: d.page},
		{Path: documentPath, Get: d.document},
		{Path: searchPath, Get: d.find},
		{Path: guides.Prefix + "{page...}", Get: d.page},
	}), err
}

// documentation holds all pages for partners.
type documentation struct {
	*shell.Shell
	// pages maps paths to pages.
	pages    map[string]page
	sections []section
	index    search.Index
	// console is the URL of the developer console.
	console string
	// openapi serves the OpenAPI document.
	openapi http.Handler
}

// view holds the data for a page of the documentation.
type view struct {
	page
	// Sections are the sections of the list of pages. Console is the URL of the developer console.
	Sections []section
	Console  string
	// Query is the search query. Found contains its results.
	Query string
	Found []search.Hit
}

// page serves a guide, a page of the reference or the page about an error code. If there is no such
// page, it serves a page that says so (behaviour: pages#partner-pages).
func (d documentation) page(w http.ResponseWriter, r *http.Request) error {
	p, there := d.pages[r.URL.Path]
	if !there {
		w.Header().Set("X-Robots-Tag", "noindex")
		return d.show(w, r, http.StatusNotFound, view{page: page{template: "docsmissing", Title: "No such page", Path: r.URL.Path}})
	}
	return d.show(w, r, http.StatusOK, view{page: p})
}

// find serves the results of a search (behaviour: pages#search).
func (d documentation) find(w http.ResponseWriter, r *http.Request) error {
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	query = query[:min(len(query), maxQuery)]
	w.Header().Set("X-Robots-Tag", "noindex")
	return d.show(w, r, http.StatusOK, view{
		page:  page{template: "search", Title: "Search", Path: searchPath},
		Query: strings.ToValidUTF8(query, ""), Found: d.index.Find(query),
	})
}

// maxQuery is the maximum length of a query in bytes. The rest is ignored.
const maxQuery = 200

// show renders a page for partners.
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
