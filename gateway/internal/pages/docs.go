package pages

import (
	"html/template"
	"net/http"

	"vitae.internal/gateway/internal/pages/guides"
	"vitae.internal/gateway/internal/web"
)

// documentPath is where the reference reads the OpenAPI document. The site serves it
// too, so that the page asks no other host (behaviour: pages#the-reference).
const documentPath = "/docs/openapi.json"

// referencePolicy is the Content-Security-Policy of the reference, the one page with
// scripts: those in the binary. Redoc writes its style through the CSSOM, into
// elements that are empty when it inserts them; the hash is that of the empty text.
// Its icon font is in the script.
const referencePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; " +
	"style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; font-src 'self' data:; img-src 'self' data:; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// documentation is the reference and the guides, for partners.
type documentation struct {
	site *web.Site
	// guides are all guides, in the order of their list.
	guides []guides.Guide
	// openapi serves the OpenAPI document.
	openapi http.Handler
}

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

// reference shows the OpenAPI document to people.
func (d documentation) reference(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set(web.PolicyHeader, referencePolicy)
	return d.show(w, "reference", "API reference", docsView{Document: documentPath})
}

// guide shows one of the texts of vitae.internal/docs.
func (d documentation) guide(w http.ResponseWriter, r *http.Request) error {
	for _, g := range d.guides {
		if g.Path == r.URL.Path {
			return d.show(w, "guide", g.Title, docsView{Path: g.Path, HTML: g.HTML})
		}
	}
	return web.NotFound()
}

// show answers with a page for partners (behaviour: pages#partner-pages).
func (d documentation) show(w http.ResponseWriter, name, title string, v docsView) error {
	v.Guides = d.guides
	web.Shared(w.Header())
	return d.site.RenderIn(w, "en", http.StatusOK, name, web.View{Title: title, Data: v})
}

// document serves the OpenAPI document, byte for byte as the REST API does.
func (d documentation) document(w http.ResponseWriter, r *http.Request) error {
	w.Header().Del("Vary")
	d.openapi.ServeHTTP(w, r)
	return nil
}
