package pages

import (
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// decide takes the person's decision and sends the browser back to the app.
func (p *Pages) decide(w http.ResponseWriter, r *http.Request, s *session) error {
	c, err := p.openConsent(w, r)
	if c == nil {
		return err
	}
	switch r.PostForm.Get("decision") {
	case "cancel":
		seeOther(w, c.request.Refuse(p.cfg.BaseURL, &authv1.AuthorizationFault{
			Error: "access_denied", Description: "The person declined.",
		}))
		return nil
	case "allow":
		return p.allow(w, r, s, c)
	default:
		return errBadRequest
	}
}

func (p *Pages) allow(w http.ResponseWriter, r *http.Request, s *session, c *consent) error {
	cvs, err := p.shareable(r.Context(), s)
	if err != nil {
		return err
	}
	chosen := c.selected(r)
	field, message := c.check(chosen, cvs.GetCvs())
	if message != "" {
		return p.askAgain(w, r, s, c, cvs, chosen, field, message)
	}
	resp, err := p.cfg.OAuth.Authorize(r.Context(), &authv1.AuthorizeRequest{
		Parameters:    c.request.Parameters(),
		SessionToken:  s.token,
		GrantedScopes: c.granted(chosen),
		CvId:          chosen.cvToShare(),
		SharePhoto:    chosen.Photo,
	})
	if errs.HasCode(err, "OAUTH_INVALID_SCOPE") {
		return p.askAgain(w, r, s, c, cvs, chosen, c.firstBox(), "consent.error.scopes")
	}
	if err != nil {
		return err
	}
	if fault := resp.GetFault(); fault != nil {
		seeOther(w, c.request.Refuse(p.cfg.BaseURL, fault))
		return nil
	}
	seeOther(w, c.request.Grant(p.cfg.BaseURL, resp.GetCode()))
	return nil
}

// askAgain shows the form as it was sent, and what to change in it.
func (p *Pages) askAgain(w http.ResponseWriter, r *http.Request, s *session, c *consent,
	cvs *candidatev1.ListCvsResponse, chosen selection, field, message string) error {
	text, err := p.language(r).HTML(message, "app", c.app.GetName())
	if err != nil {
		return err
	}
	return p.showConsent(w, r, s, c, cvs, chosen, []fault{{Field: field, Message: text}})
}

// selected reads the form. A scope that the app did not ask for cannot be granted,
// whatever the form says.
func (c *consent) selected(r *http.Request) selection {
	ticked := func(scope string) bool { return c.asks(scope) && slices.Contains(r.PostForm["scope"], scope) }
	return selection{
		Email:   ticked(oauth.ScopeEmail),
		CV:      ticked(oauth.ScopeCV),
		Contact: ticked(oauth.ScopeContact),
		Photo:   r.PostForm.Get("photo") != "",
		CVID:    r.PostForm.Get("cv"),
	}
}

// check finds what is wrong with a selection: the control to go to and the message,
// both "" if nothing is. That a CV is the person's own is known here alone: auth
// knows no CVs.
func (c *consent) check(chosen selection, cvs []*candidatev1.CvReference) (field, message string) {
	if chosen.Contact && !chosen.CV {
		return "scope-contact", "consent.error.contact_needs_cv"
	}
	if len(c.granted(chosen)) == 0 {
		return c.firstBox(), "consent.error.nothing"
	}
	if !chosen.CV {
		return "", ""
	}
	if len(cvs) == 0 {
		if chosen.CVID == "" || chosen.CVID == masterCV {
			return "", ""
		}
		return "scope-cv", "consent.error.cv_foreign"
	}
	if chosen.CVID == "" {
		return "cv-0", "consent.error.cv_missing"
	}
	if !ownCV(cvs, chosen.CVID) {
		return "cv-0", "consent.error.cv_foreign"
	}
	return "", ""
}

func ownCV(cvs []*candidatev1.CvReference, id string) bool {
	return slices.ContainsFunc(cvs, func(cv *candidatev1.CvReference) bool { return cv.GetId() == id })
}

// granted lists the scopes of a selection, in the specification's order. A person
// cannot drop profile, nor the one scope of the older interface; an app that did not
// ask for them is not given them.
func (c *consent) granted(chosen selection) []string {
	var scopes []string
	for _, s := range []struct {
		scope string
		on    bool
	}{
		{oauth.ScopeLegacy, c.asks(oauth.ScopeLegacy)},
		{oauth.ScopeProfile, c.asks(oauth.ScopeProfile)},
		{oauth.ScopeEmail, chosen.Email},
		{oauth.ScopeCV, chosen.CV},
		{oauth.ScopeContact, chosen.Contact},
	} {
		if s.on {
			scopes = append(scopes, s.scope)
		}
	}
	return scopes
}

// firstBox is the id of the first scope's control.
func (c *consent) firstBox() string {
	switch {
	case c.asks(oauth.ScopeProfile), c.asks(oauth.ScopeLegacy):
		return "scope-profile"
	case c.asks(oauth.ScopeEmail):
		return "scope-email"
	case c.asks(oauth.ScopeCV):
		return "scope-cv"
	default:
		return "scope-contact"
	}
}

// cvToShare is the CV of a checked selection, "" when no CV is shared.
func (chosen selection) cvToShare() string {
	switch {
	case !chosen.CV:
		return ""
	case chosen.CVID == "":
		return masterCV
	default:
		return chosen.CVID
	}
}
