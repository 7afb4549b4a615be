package pages

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// masterCV is the main CV, which can be shared before it has any content.
const masterCV = "master"

// consentView is the consent page's own part.
type consentView struct {
	App appView
	// Action is the address of the form: the authorization request as it came, so
	// that no parameter passes through a form field, which would alter line breaks.
	Action string
	// Host is where the answer goes, "" for an app on the device.
	Host string
	// Requested scopes.
	Profile, Email, CV, Contact bool
	// Legacy stands for the one scope of the older interface.
	Legacy bool
	// EmailVerified says whether the app would see the address now.
	EmailVerified bool
	HasPhoto      bool
	CVs           []*candidatev1.CvReference
	Chosen        selection
}

// selection is what the person has chosen, as the form has it.
type selection struct {
	Email, CV, Contact, Photo bool
	// CVID is the CV to share.
	CVID string
}

// consent is an authorization request that waits for the person's word.
type consent struct {
	request oauth.AuthorizationRequest
	app     *authv1.App
	scopes  []string
}

// openConsent has the request checked. When it cannot be put to the person, the
// answer has been given or the error says why.
func (p *Pages) openConsent(w http.ResponseWriter, r *http.Request) (*consent, error) {
	if p.cfg.PlatformOff {
		return nil, errs.New(errs.NotFound, answer.CodePlatformDisabled, "The developer platform is off.")
	}
	request := readAuthorization(r.URL)
	resp, err := request.Check(r.Context(), p.cfg.OAuth)
	if err != nil {
		return nil, err
	}
	if fault := resp.GetFault(); fault != nil {
		seeOther(w, request.Refuse(p.cfg.BaseURL, fault))
		return nil, nil
	}
	return &consent{request: request, app: resp.GetApp(), scopes: resp.GetScopes()}, nil
}

// consentForm puts the request to the person. What an app gets wrong goes back to
// the app before anyone is asked to sign in.
func (p *Pages) consentForm(w http.ResponseWriter, r *http.Request) error {
	personal(w.Header())
	c, err := p.openConsent(w, r)
	if c == nil {
		return err
	}
	return p.signedIn(func(w http.ResponseWriter, r *http.Request, s *session) error {
		return p.offer(w, r, s, c)
	})(w, r)
}

// offer shows the form to the person who has signed in.
func (p *Pages) offer(w http.ResponseWriter, r *http.Request, s *session, c *consent) error {
	cvs, err := p.shareable(r.Context(), s)
	if err != nil {
		return err
	}
	connections, err := p.listConnections(r.Context(), s)
	if err != nil {
		return err
	}
	return p.showConsent(w, r, s, c, cvs, c.preselected(connections, cvs.GetCvs()), nil)
}

// preselected is what the form shows before the person has touched it. To a new
// app, what it asks for is offered; what is private beyond that takes a decision.
// With an app that is connected, Allow alone must change nothing: no more is
// ticked than it sees now, and the CV is the one that it sees.
func (c *consent) preselected(connections []*authv1.Connection, cvs []*candidatev1.CvReference) selection {
	chosen := selection{Email: c.asks(oauth.ScopeEmail), CV: c.asks(oauth.ScopeCV)}
	if len(cvs) > 0 {
		chosen.CVID = cvs[0].GetId()
	}
	at := slices.IndexFunc(connections, func(one *authv1.Connection) bool {
		return one.GetApp().GetClientId() == c.app.GetClientId() && one.GetLegacy() == c.request.Legacy()
	})
	if at < 0 {
		return chosen
	}
	live := connections[at]
	seen := func(scope string) bool { return c.asks(scope) && slices.Contains(live.GetScopes(), scope) }
	chosen.Email, chosen.CV, chosen.Contact = seen(oauth.ScopeEmail), seen(oauth.ScopeCV), seen(oauth.ScopeContact)
	chosen.Photo = live.GetSharePhoto()
	if live.GetCvId() != "" {
		// One that is deleted ticks nothing: no other may take its place unasked.
		chosen.CVID = live.GetCvId()
	}
	return chosen
}

func (c *consent) asks(scope string) bool { return slices.Contains(c.scopes, scope) }

// listCVs gives what the person can share. A person without a profile has nothing.
func (p *Pages) listCVs(ctx context.Context, s *session) (*candidatev1.ListCvsResponse, error) {
	resp, err := p.cfg.Profiles.ListCvs(ctx, &candidatev1.ListCvsRequest{PersonId: s.person.GetId()})
	if errs.KindOf(err) == errs.NotFound && err != nil {
		return &candidatev1.ListCvsResponse{}, nil //nolint:nilerr // nothing to share is an answer
	}
	return resp, err
}

// shareable is listCVs for a consent, which needs a profile: errNoProfile. Every
// profile has a name.
func (p *Pages) shareable(ctx context.Context, s *session) (*candidatev1.ListCvsResponse, error) {
	cvs, err := p.listCVs(ctx, s)
	if err == nil && cvs.GetName() == "" {
		err = errNoProfile
	}
	return cvs, err
}

// showConsent renders the form, with the faults of what was sent, if any.
func (p *Pages) showConsent(w http.ResponseWriter, r *http.Request, s *session, c *consent,
	cvs *candidatev1.ListCvsResponse, chosen selection, faults []fault) error {
	title, err := p.language(r).Text("consent.title", "app", c.app.GetName())
	if err != nil {
		return err
	}
	redirectURI := c.request.Parameters().GetRedirectUri()
	v := view{Title: title, Faults: faults, OneWay: true, Data: consentView{
		App:           appView{Name: c.app.GetName()},
		Action:        returnPath(r.URL.RequestURI()),
		Host:          hostOf(redirectURI),
		Profile:       c.asks(oauth.ScopeProfile),
		Email:         c.asks(oauth.ScopeEmail),
		CV:            c.asks(oauth.ScopeCV),
		Contact:       c.asks(oauth.ScopeContact),
		Legacy:        c.asks(oauth.ScopeLegacy),
		EmailVerified: s.person.GetEmailVerified(),
		HasPhoto:      cvs.GetHasPhoto(),
		CVs:           cvs.GetCvs(),
		Chosen:        chosen,
	}}
	v.identify(p, s)
	w.Header().Set("Content-Security-Policy", policy{formAction: redirectTarget(redirectURI)}.String())
	status := http.StatusOK
	if len(faults) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return p.render(w, r, status, "consent", v)
}

// hostOf is the host that people know a site by, "" for a private-use scheme.
func hostOf(redirectURI string) string {
	u, err := url.Parse(redirectURI)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return u.Host
}
