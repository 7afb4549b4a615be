package pages

import (
	"html/template"
	"net/http"

	"vitae.internal/gateway/internal/pages/guides"
)

// documentPath is where the reference reads the OpenAPI document. It is served here
// too, so that the page asks no other host, not even the edge.
const documentPath = "/docs/openapi.json"

// referencePolicy is the Content-Security-Policy of the reference, the one page with
// scripts: those in the binary. Redoc writes its style through the CSSOM, into
// elements that are empty when they are inserted; the hash is that of the empty
// text. Its icon font is in the script.
const referencePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; " +
	"style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; font-src 'self' data:; img-src 'self' data:; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// docsView is what the pages for partners show.
type docsView struct {
	// Guides are all guides, for the list of pages.
	Guides []guides.Guide
	// Path of the guide that is shown, "" for the reference.
	Path string
	// HTML of that guide.
	HTML template.HTML
	// Document is the path of the OpenAPI document.
	Document string
}

// reference is the OpenAPI document for people (spec: service_documentation).
func (p *Pages) reference(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Security-Policy", referencePolicy)
	return p.renderDocs(w, "reference", "API reference", docsView{Document: documentPath})
}

// guide is one of the texts of vitae.internal/docs.
func (p *Pages) guide(w http.ResponseWriter, r *http.Request) error {
	for _, g := range p.guides {
		if g.Path == r.URL.Path {
			return p.renderDocs(w, "guide", g.Title, docsView{Path: g.Path, HTML: g.HTML})
		}
	}
	return errNotFound
}

// renderDocs answers with a page for partners. They are in English, whatever the
// browser asks for, and the same for everybody.
func (p *Pages) renderDocs(w http.ResponseWriter, name, title string, v docsView) error {
	v.Guides = p.guides
	w.Header().Del("Vary")
	w.Header().Set("Cache-Control", "no-cache")
	return p.renderIn(w, p.catalog.Match("en"), http.StatusOK, name, view{Title: title, Data: v})
}

// document serves the OpenAPI document, byte for byte as the edge does.
func (p *Pages) document(w http.ResponseWriter, r *http.Request) error {
	w.Header().Del("Vary")
	p.cfg.Document.ServeHTTP(w, r)
	return nil
}
