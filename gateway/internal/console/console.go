package console

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/grpc"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/keyring"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// files are the site's own templates, texts, style and script.
//
//go:embed templates messages static
var files embed.FS

// Name is the name of the console in logs and metrics.
const Name = "console"

// Config is what the console is made of. All of it but PlatformOn is required.
type Config struct {
	// Auth and Candidate are the connections to the parts.
	Auth, Candidate grpc.ClientConnInterface
	// BaseURL is the address of the REST API and the issuer of RFC 9207, AppURL that of the
	// pages, URL that of the console; no trailing slashes.
	BaseURL, AppURL, URL string
	// CookieKeys sign forms and cookies, and make the client secret of the console's app.
	// All replicas have the same.
	CookieKeys keyring.Ring
	// Security serves security.txt (RFC 9116).
	Security http.Handler
	// Page spends, of the client's address, a page for which a part is asked. Errors:
	// RATE_LIMIT_EXCEEDED.
	Page func(*http.Request) error
	// Limits tells what accounts have spent, and what tiers there are.
	Limits Limits
	Log    *slog.Logger
	Clock  clock.Clock
	// PlatformOn is false while the developer platform is switched off.
	PlatformOn bool
}

func (c Config) check() error {
	if c.Auth == nil || c.Candidate == nil || c.BaseURL == "" || c.AppURL == "" || c.URL == "" ||
		c.Security == nil || c.Page == nil || c.Limits == nil || c.Log == nil || c.Clock == nil {
		return errors.New("console: the configuration is incomplete")
	}
	return nil
}

// parts are what the console asks of the services.
type parts struct {
	console     authv1.ConsoleServiceClient
	oauth       authv1.OAuthServiceClient
	credentials authv1.CredentialServiceClient
	accounts    authv1.AccountServiceClient
	developers  authv1.DeveloperServiceClient
	members     authv1.MemberServiceClient
	audit       authv1.AuditServiceClient
	usages      authv1.UsageServiceClient
	me          candidatev1.MeServiceClient
}

// Console is the developer console.
type Console struct {
	Config
	parts
	site *web.Site
	app  *ownApp
	// loggedRoutes are the templates of routes that the request log names.
	loggedRoutes []string
	// routeScopes are the scopes that routes need, by method and template.
	routeScopes map[string]string
	// errorDocs say what error codes mean, by code.
	errorDocs map[string]errorDoc
	// previews make the addresses of consent pages as people see them.
	previews authorization.Previews
	// news are those for partners, newest first.
	news []docs.Entry
}

// New builds the console. It fails when something is missing from cfg, or when a template
// or a text is broken.
func New(cfg Config) (*Console, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	return build(cfg, parts{
		console:     authv1.NewConsoleServiceClient(cfg.Auth),
		oauth:       authv1.NewOAuthServiceClient(cfg.Auth),
		credentials: authv1.NewCredentialServiceClient(cfg.Auth),
		accounts:    authv1.NewAccountServiceClient(cfg.Auth),
		developers:  authv1.NewDeveloperServiceClient(cfg.Auth),
		members:     authv1.NewMemberServiceClient(cfg.Auth),
		audit:       authv1.NewAuditServiceClient(cfg.Auth),
		usages:      authv1.NewUsageServiceClient(cfg.Auth),
		me:          candidatev1.NewMeServiceClient(cfg.Candidate),
	})
}

func build(cfg Config, p parts) (*Console, error) {
	c := &Console{Config: cfg, parts: p}
	var err error
	if c.app, err = newOwnApp(p.console, cfg.CookieKeys, cfg.URL+callbackPath); err != nil {
		return nil, err
	}
	if c.loggedRoutes, c.routeScopes, err = readRoutes(); err != nil {
		return nil, err
	}
	if c.previews, err = authorization.NewPreviews(cfg.CookieKeys, cfg.Clock); err != nil {
		return nil, err
	}
	if c.news, err = docs.News(); err != nil {
		return nil, err
	}
	if c.errorDocs, err = readErrorDocs(docs.Files, cfg.AppURL); err != nil {
		return nil, err
	}
	c.site, err = web.New(web.Config{
		Name: Name, Brand: "Vitae Console", URL: cfg.URL, Files: files, Languages: []string{"en"},
		Functions: template.FuncMap{"shell": shellOf, "input": newInput, "moment": moment, "date": date, "instant": instant, "dated": dated, "part": part, "grouped": plot.Grouped, "clock": clockTime, "formname": rand.Text, "once": once, "dangerous": dangerous},
		Assets: map[string][]string{
			"app.css":    {"tokens.css", "base.css", "parts.css", "console.css", "plot.css"},
			"console.js": {"console.js"}, "requests.js": {"requests.js"},
		},
		Policy:       c.policy(false),
		CookiePrefix: "vitae_console", CookieKeys: cfg.CookieKeys,
		Failures: failures, Around: c.around, SignInPath: signInFor, FormPath: formBehind, PlatformOn: cfg.PlatformOn,
		Clock: cfg.Clock, Log: cfg.Log,
	})
	return c, err
}

// policy is the content security policy of a page. Logos are shown by the pages. A page may
// have a script that asks the console. A form of somebody whose session has ended leads to the
// sign-in, and browsers hold redirects of a form against form-action too.
func (c *Console) policy(asks bool) web.Policy {
	return web.Policy{Scripts: true, Connect: asks, Images: " " + c.AppURL, FormAction: " " + c.BaseURL + " " + c.AppURL}
}

// Listener returns the console's listener. While the developer platform is switched off, every
// address answers 404 (behaviour: errors#platform-off).
func (c *Console) Listener() (chain.Listener, error) {
	handler, err := c.site.Handler(c.routes())
	if err != nil {
		return chain.Listener{}, err
	}
	return chain.Listener{
		Name: Name, Fail: c.site.Fail, Handler: remembering(handler),
		MaxBody: maxLogoForm,
		Timeout: chain.RevokeTimeout, // to delete an app or a key is a revoke
	}, nil
}

// Prepare makes the console's app, so that it is there before anybody signs in. It tries
// until that has worked or ctx ends.
func (c *Console) Prepare(ctx context.Context) {
	if c.PlatformOn {
		c.app.prepare(ctx, c.Log)
	}
}

// formBehind is the page on which the form of a refused post stands.
func formBehind(r *http.Request) string {
	page, known := formPages[r.Pattern]
	if !known {
		return r.URL.Path
	}
	return strings.Replace(page, "{app}", url.PathEscape(r.PathValue("app")), 1)
}

// formPages are the routes that only take posts, and the pages with their forms.
var formPages = map[string]string{
	signOutPath: "/", chooseAccountPath: "/",
	appsPath + "/{app}/secrets":                appsPath + "/{app}",
	appsPath + "/{app}/secrets/{secret}/end":   appsPath + "/{app}",
	teamPath + "/{person}/role":                teamPath,
	invitationsPath + "/{invitation}/withdraw": teamPath,
}
