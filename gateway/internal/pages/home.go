package pages

import "net/http"

// home is where people land who type in the address.
func (p *Pages) home(w http.ResponseWriter, r *http.Request) error {
	personal(w.Header())
	s, err := p.lookUp(r)
	if err != nil {
		return err
	}
	title, err := p.language(r).Text("home.title")
	if err != nil {
		return err
	}
	v := view{Title: title}
	v.identify(p, s)
	return p.render(w, r, http.StatusOK, "home", v)
}

// identify fills in what every page of a signed-in person shows.
func (v *view) identify(p *Pages, s *session) {
	if s == nil {
		return
	}
	v.Account = s.person.GetEmail()
	v.CSRF = p.sessionCSRF(s.token)
}
