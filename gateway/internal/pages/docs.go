package pages

import "net/http"

// docsView names the addresses that the guide quotes.
type docsView struct{ BaseURL, AppURL string }

// docs is the guide for partners that the discovery document names
// (spec: service_documentation).
func (p *Pages) docs(w http.ResponseWriter, r *http.Request) error {
	personal(w.Header())
	title, err := p.language(r).Text("docs.title")
	if err != nil {
		return err
	}
	v := view{Title: title, Data: docsView{BaseURL: p.cfg.BaseURL, AppURL: p.cfg.AppURL}}
	return p.render(w, r, http.StatusOK, "docs", v)
}
