package consent

import (
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/seen"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// codeConsentNeeded is the auth service's error code for a connection that no longer allows everything that
// the app requests.
const codeConsentNeeded = "CONSENT_NEEDED"

// continueView holds the data for the short page, which people see who come back
// (behaviour: sign-in#coming-back).
type continueView struct {
	consentView
	// Name is the person's name.
	Name string
	// Review is the URL of the full consent page for the same request.
	Review string
	// Sees lists the message keys for what the app sees. StaysOff lists the message keys for what the person
	// has declined or withdrawn.
	Sees, StaysOff []string
	// CV is the CV that the app sees, or nil if it sees none.
	CV *candidatev1.CvReference
}

// asksNothingNew reports whether there is nothing to decide, because the person has already granted or
// declined everything that the app requests. There is something to decide if the app is paused, or if the CV
// that it may see no longer exists.
func (c *pending) asksNothingNew() bool {
	live := c.live
	if live == nil || live.GetPausedAt() != nil || c.asks(scope.CVRead) && slices.Contains(live.GetGrantedScopes(), scope.CVRead) && !shell.HasCV(c.cvs.GetCvs(), live.GetCvId()) {
		return false
	}
	within := func(have []string) func(string) bool {
		return func(s string) bool { return slices.Contains(have, s) }
	}
	inForce := slices.ContainsFunc(c.scopes, within(live.GetScopes()))
	return inForce && !slices.ContainsFunc(c.scopes, func(s string) bool {
		return !within(live.GetGrantedScopes())(s) && !within(live.GetDeclinedScopes())(s)
	})
}

// offerContinue shows the short page.
func (p Pages) offerContinue(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending) error {
	data := continueView{
		consentView: c.view(selection{}), Name: c.cvs.GetName(), Sees: seen.By(c.live), StaysOff: c.staysOff(),
		Review: p.ReturnPath(r.URL.Path + "?" + authorization.FullPage(r.URL.RawQuery)),
	}
	data.Action = p.ReturnPath(r.URL.RequestURI())
	for _, one := range c.cvs.GetCvs() {
		if one.GetId() == c.left.CVID {
			data.CV = one
		}
	}
	w.Header().Set(web.PolicyHeader, web.Policy{FormsLeave: true}.String())
	return p.Show(w, r, who, http.StatusOK, "continue", web.View{OneWay: true, Data: data}, "continue.title", "app", c.app.GetName())
}

// staysOff returns the message keys for what the person was offered but the app does not see.
func (c *pending) staysOff() (keys []string) {
	if c.cvs.GetHasPhoto() && !c.live.GetSharePhoto() {
		keys = append(keys, "connections.chip.photo")
	}
	for _, one := range []struct{ scope, key string }{
		{scope.Email, "connections.chip.email"}, {scope.CVRead, "connections.chip.cv"}, {scope.CVContact, "connections.chip.contact"},
	} {
		if c.asks(one.scope) && !slices.Contains(c.live.GetScopes(), one.scope) {
			keys = append(keys, one.key)
		}
	}
	return keys
}

// goOn sends the browser back to the app, which sees the same as before. The auth service does not change
// the connection. If the connection no longer allows what the app requests, the person is asked.
func (p Pages) goOn(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending) error {
	found, err := p.read(r.Context(), who, "")
	if err != nil {
		return err
	}
	if c.setPerson(found); !c.asksNothingNew() {
		return p.askWhole(w, r, who, c)
	}
	resp, err := p.oauth.Authorize(r.Context(), &authv1.AuthorizeRequest{
		Parameters: c.request.Parameters(), SessionToken: who.Token, Keep: true,
	})
	if errs.HasCode(err, codeConsentNeeded) {
		return p.askWhole(w, r, who, c)
	}
	if err != nil {
		return err
	}
	p.answer(w, c, resp)
	return nil
}
