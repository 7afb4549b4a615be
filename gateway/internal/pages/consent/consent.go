// Package consent asks people whether an app may connect, and what it sees.
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

// Files has the templates.
//
//go:embed templates
var Files embed.FS

// Config is what the pages are made of.
type Config struct {
	// Auth and Candidate are the connections to the parts.
	Auth, Candidate grpc.ClientConnInterface
	// Issuer is the issuer of RFC 9207.
	Issuer string
	// Charge counts an authorization request against the limit of the client's address. Errors:
	// RATE_LIMIT_EXCEEDED.
	Charge     func(*http.Request) error
	Shown      seen.Shown
	CookieKeys keyring.Ring
	Clock      clock.Clock
	Log        *slog.Logger
}

// Pages are the consent page and that of the legacy interface.
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

// Routes returns the pages, and the preview for developers.
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
	// Publisher is the name of the account that publishes the app; Verified reports whether
	// Vitae has verified it.
	Publisher string
	Verified  bool
	// Own reports whether the app is Vitae's own console.
	Own bool
	// Preview means that nothing can be decided on this page.
	Preview bool
	// Links lead to what the app says of itself.
	Links []appLink
	// Action is the address of the form: the authorization request as it came, so
	// that no parameter passes through a form field, which would alter line breaks.
	Action string
	// Host is where the answer goes, "" for an app on the device.
	Host string
	// Requested scopes.
	Profile, Email, CV, Contact bool
	// Legacy is the one scope of the legacy interface.
	Legacy bool
	// EmailVerified reports whether the app would see the address now.
	EmailVerified bool
	HasPhoto      bool
	CVs           []*candidatev1.CvReference
	// MakeCV is where a person without a CV makes one, and comes back.
	MakeCV string
	// FinishCV is where a person whose only CV is a draft saves it, and comes back; "" without a draft.
	FinishCV string
	Chosen   selection
	// Left is how the person has left the app, if it is connected.
	Left standing
	// Reads is what the app would read, if the person has asked for a look.
	Reads seen.Content
}

// Now is the key of what the page says about a permission of a connected app; "" for an app that
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

// Again returns the message key for a person who has connected the app: that nothing changes yet, since
// "nothing is shared yet" would be untrue.
func (v consentView) Again(text string) string {
	if v.Left.Connected {
		return text + ".again"
	}
	return text
}

// Seen are the permissions that the app has.
func (v consentView) Seen() map[string]bool { return v.Left.seen }

// Changes is the class of a page that shows what ticking changes, which it does for connected apps.
func (v consentView) Changes() string {
	if v.Left.Connected {
		return "changes"
	}
	return ""
}

// appLink is a page of an app's developer.
type appLink struct {
	// Label is the key of a message.
	Label   string
	Address string
}

// linksOf returns the pages of an app. auth has checked them; what is not a link is omitted all the
// same.
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

// pending is an authorization request that waits for the person's decision.
type pending struct {
	request authorization.Request
	app     *authv1.App
	scopes  []string
	// publisher is the name of the app's account, verified whether Vitae knows who is
	// behind it.
	publisher string
	verified  bool
	// own is true for Vitae's own console.
	own bool
	// cvs are the person's, live is their connection with the app at the interface that asks; nil if
	// there is none.
	cvs  *candidatev1.ListOwnCvsResponse
	live *authv1.Connection
	// left is how the person has left the app; nothing if it is not connected.
	left standing
	// reads is what the app would read, if that is to be shown.
	reads seen.Content
}

func pendingOf(request authorization.Request, checked *authv1.CheckAuthorizationResponse) *pending {
	return &pending{
		request: request, app: checked.GetApp(), scopes: checked.GetScopes(),
		publisher: checked.GetPublisherName(), verified: checked.GetPublisherVerified(), own: checked.GetPublisherOwn(),
	}
}

func (c *pending) asks(scope string) bool { return slices.Contains(c.scopes, scope) }

// open has auth check the request. It returns nil if the person cannot be asked: then the response was
// sent, or there is an error.
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

// form shows the consent page. Faults of the request go back to the app before
// anyone is asked to sign in.
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
		c.takes(found)
		return p.ask(w, r, who, c)
	})(w, r)
}

// ask shows the person who has signed in what to decide: the short page if nothing new is asked,
// otherwise the form.
func (p Pages) ask(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending) error {
	if !c.request.WantsFullPage() && c.asksNothingNew() {
		return p.offerContinue(w, r, who, c)
	}
	return p.askWhole(w, r, who, c)
}

// askWhole shows the form as it starts for the person.
func (p Pages) askWhole(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending) error {
	return p.draw(w, r, who, c, c.preselected(), nil)
}

// draw renders the consent page, with the faults of what was sent, if any.
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

// view is what the page shows to everyone.
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

// hostOf is the host by which people know a site, "" for a private-use scheme.
func hostOf(redirectURI string) string {
	u, err := url.Parse(redirectURI)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return u.Host
}
