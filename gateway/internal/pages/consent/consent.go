// Package consent asks people whether an app may connect and what it may see.
package consent

import (
	"embed"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/pages/seen"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Files holds the templates.
//
//go:embed templates
var Files embed.FS

// Config holds the dependencies and settings of the pages.
type Config struct {
	// Auth and Candidate are connections to those services.
	Auth, Candidate grpc.ClientConnInterface
	// Issuer is the issuer identifier (RFC 9207).
	Issuer string
	// Charge counts an authorization request against the limit of the client's IP address. It returns
	// RATE_LIMIT_EXCEEDED if the limit is exceeded.
	Charge     func(*http.Request) error
	Shown      seen.Shown
	CookieKeys keyring.Ring
	Clock      clock.Clock
	Log        *slog.Logger
}

// Pages serves the consent pages of the current and the legacy interface.
type Pages struct {
	*shell.Shell
	Config
	oauth       authv1.OAuthServiceClient
	connections authv1.ConnectionServiceClient
	profiles    candidatev1.ProfileServiceClient
}

// New returns the Pages.
func New(sh *shell.Shell, cfg Config) Pages {
	return Pages{
		sh, cfg, authv1.NewOAuthServiceClient(cfg.Auth), authv1.NewConnectionServiceClient(cfg.Auth), candidatev1.NewProfileServiceClient(cfg.Candidate),
	}
}

// Routes returns the routes of the pages, and of the preview for developers.
func (p Pages) Routes() ([]shell.Route, error) {
	previews, err := authorization.NewPreviews(p.CookieKeys, p.Clock)
	preview := previewPages{p.Shell, p.oauth, previews, p.Clock}
	return slices.Concat(
		shell.To(shell.Itself, []web.Route{
			{Path: shell.ConsentPath, Get: p.form, Post: p.Own(p.decide), Platform: true},
			{Path: shell.LegacyConsentPath, Get: p.form, Post: p.Own(p.decide), Platform: true},
		}),
		shell.To("", []web.Route{{Path: authorization.PreviewPath + "{token}", Get: p.Limited(preview.show), Platform: true}}),
	), err
}

type consentView struct {
	App shell.App
	// Publisher is the name of the account that publishes the app. Verified reports whether Vitae has
	// verified it.
	Publisher string
	Verified  bool
	// Own reports whether the app is Vitae's own console.
	Own bool
	// Preview reports whether this is a preview, on which no decision can be made.
	Preview bool
	// Links are links to the developer's pages about the app.
	Links []appLink
	// Action is the URL to which the form is submitted. It is the authorization request exactly as it was
	// received. No parameter is copied to a form field, because that would alter line breaks.
	Action string
	// Host is the host to which the response goes, or "" if the app is on the person's device.
	Host string
	// These are the requested scopes.
	Profile, Email, CV, Contact bool
	// Legacy reports whether the only scope of the legacy interface is requested.
	Legacy bool
	// EmailVerified reports whether the email address is verified, because the app sees only a verified one.
	EmailVerified bool
	HasPhoto      bool
	CVs           []*candidatev1.CvReference
	// MakeCV is the URL at which a person without a CV can create one before coming back.
	MakeCV string
	// FinishCV is the URL at which a person whose only CV is a draft can save it before coming back, or "" if
	// there is no draft.
	FinishCV string
	Chosen   selection
	// Left describes the person's existing connection with the app. It is the zero value if there is none.
	Left standing
	// Reads is a preview of the data that the app would receive. It is set only if the person has requested
	// the preview.
	Reads seen.Content
}

// Now returns the message key for the current state of a permission of a connected app, or "" for an app that
// is not connected.
func (v consentView) Now(permission string) string {
	switch {
	case !v.Left.Connected:
		return ""
	case v.Left.withheld[permission]:
		return "consent.withheld"
	case v.Left.seen[permission] && v.Left.Paused:
		return "consent.now.paused"
	case v.Left.seen[permission]:
		return "consent.now.seen"
	default:
		return "consent.now.unseen"
	}
}

// Again returns the variant of a message key for a person who has already connected the app. That message
// states that nothing changes yet, because "nothing is shared yet" would be wrong.
func (v consentView) Again(text string) string {
	if v.Left.Connected {
		return text + ".again"
	}
	return text
}

// Seen returns the permissions that the app has.
func (v consentView) Seen() map[string]bool { return v.Left.seen }

// Changes returns the CSS class of a page that shows what ticking a box would change. Only pages for
// connected apps do.
func (v consentView) Changes() string {
	if v.Left.Connected {
		return "changes"
	}
	return ""
}

// appLink is a link to a page of the app's developer.
type appLink struct {
	// Label is the message key of the link's label.
	Label   string
	Address string
}

// linksOf returns the links of an app. The auth service has already validated them, but invalid links are
// omitted anyway.
func linksOf(a *authv1.App) (links []appLink) {
	for _, l := range []appLink{
		{"consent.link.homepage", a.GetHomepage()}, {"consent.link.privacy", a.GetPrivacyPolicy()}, {"consent.link.terms", a.GetTerms()},
	} {
		if shell.Weblink(l.Address) != "" {
			links = append(links, l)
		}
	}
	return links
}

// pending is an authorization request that is waiting for the person's decision.
type pending struct {
	request authorization.Request
	app     *authv1.App
	scopes  []string
	// publisher is the name of the account that publishes the app. verified reports whether Vitae has
	// verified who is behind the account.
	publisher string
	verified  bool
	// own reports whether the app is Vitae's own console.
	own bool
	// cvs are the person's CVs. live is the person's connection with the app on the requesting interface, or
	// nil if there is none.
	cvs  *candidatev1.ListOwnCvsResponse
	live *authv1.Connection
	// left describes the person's existing connection with the app, or is the zero value if there is none.
	left standing
	// reads is a preview of the data that the app would receive, if the preview is to be shown.
	reads seen.Content
}

func pendingOf(request authorization.Request, checked *authv1.CheckAuthorizationResponse) *pending {
	return &pending{
		request: request, app: checked.GetApp(), scopes: checked.GetScopes(),
		publisher: checked.GetPublisherName(), verified: checked.GetPublisherVerified(), own: checked.GetPublisherOwn(),
	}
}

func (c *pending) asks(scope string) bool { return slices.Contains(c.scopes, scope) }

// open has the auth service check the request. It returns nil if the person cannot be asked. In that case,
// the response has already been sent or open returns an error.
func (p Pages) open(w http.ResponseWriter, r *http.Request) (*pending, error) {
	request := shell.ReadAuthorization(r.URL)
	resp, err := request.Check(r.Context(), p.oauth)
	if err != nil {
		return nil, p.refuse(w, r, request, err)
	}
	if authorization.StaysHere(r, resp) {
		return nil, p.explain(w, r, request, resp)
	}
	if fault := resp.GetFault(); fault != nil {
		web.SeeOther(w, request.Refuse(p.Issuer, fault))
		return nil, nil
	}
	return pendingOf(request, resp), nil
}

// form shows the consent page. If the request is invalid, the app receives the error before the visitor is
// asked to sign in.
func (p Pages) form(w http.ResponseWriter, r *http.Request) error {
	web.Personal(w.Header())
	if err := p.Config.Charge(r); err != nil {
		return err
	}
	personal, stop := p.startReading(r)
	defer stop()
	c, err := p.open(w, r)
	if c == nil {
		return err
	}
	return p.Sessions.Required(func(w http.ResponseWriter, r *http.Request, who shell.Person) error {
		found, err := personal()
		if err != nil {
			return err
		}
		c.setPerson(found)
		return p.ask(w, r, who, c)
	})(w, r)
}

// ask shows the signed-in person the page for the decision. It is the short page if nothing new is requested,
// and the full form otherwise.
func (p Pages) ask(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending) error {
	if !c.request.WantsFullPage() && c.asksNothingNew() {
		return p.offerContinue(w, r, who, c)
	}
	return p.askWhole(w, r, who, c)
}

// askWhole shows the full form, with the initial selection for this person.
func (p Pages) askWhole(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending) error {
	return p.draw(w, r, who, c, c.preselected(), nil)
}

// draw renders the consent page, with the errors in the submitted form, if any.
func (p Pages) draw(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending, chosen selection, faults []web.Fault) error {
	view := c.view(chosen)
	view.Action, view.EmailVerified = p.ReturnPath(r.URL.RequestURI()), who.GetEmailVerified()
	view.MakeCV = makeCV(view.Action)
	if len(view.CVs) == 0 && (view.CV || view.Legacy) && slices.Contains(c.cvs.GetDrafts(), shell.MainCV) {
		view.FinishCV = shell.WithReturn(shell.ProfilePath, view.Action)
	}
	w.Header().Set(web.PolicyHeader, web.Policy{FormsLeave: true}.String())
	status := http.StatusOK
	if len(faults) > 0 {
		status = http.StatusUnprocessableEntity
	}
	v := web.View{Faults: faults, OneWay: true, Data: view}
	return p.Show(w, r, who, status, "consent", v, view.Again("consent.title"), "app", c.app.GetName())
}

// view returns the page data that is the same for everyone.
func (c *pending) view(chosen selection) consentView {
	return consentView{
		App:       shell.AppOf(c.app),
		Publisher: c.publisher,
		Verified:  c.verified,
		Own:       c.own,
		Links:     linksOf(c.app),
		Host:      hostOf(c.request.Parameters().GetRedirectUri()),
		Profile:   c.asks(scope.Profile),
		Email:     c.asks(scope.Email),
		CV:        c.asks(scope.CVRead),
		Contact:   c.asks(scope.CVContact),
		Legacy:    c.asks(scope.ProfileRead),
		HasPhoto:  c.cvs.GetHasPhoto(),
		CVs:       c.cvs.GetCvs(),
		Chosen:    chosen,
		Left:      c.left,
		Reads:     c.reads,
	}
}

// hostOf returns the host under which people know a site, or "" for a private-use scheme.
func hostOf(redirectURI string) string {
	u, err := url.Parse(redirectURI)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return u.Host
}
