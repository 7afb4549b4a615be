package shell

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/keyring"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

//go:embed templates messages static
var files embed.FS

// Name is the console's name in logs and metrics.
const Name = "console"

// Config configures the console. All fields except PlatformOn are required.
type Config struct {
	// Auth and Candidate are connections to those services.
	Auth, Candidate grpc.ClientConnInterface
	// BaseURL is the URL of the REST API and the issuer (RFC 9207). AppURL is the URL of the web
	// app. URL is the URL of the console. None has a trailing slash.
	BaseURL, AppURL, URL string
	// CookieKeys sign forms and cookies, and the client secret of the console's app is derived from
	// them. All replicas need the same keys.
	CookieKeys keyring.Ring
	// Security serves security.txt (RFC 9116).
	Security http.Handler
	// Page counts a page against the limit of the client's IP address. It returns
	// RATE_LIMIT_EXCEEDED if the limit is exceeded.
	Page   func(*http.Request) error
	Limits Limits
	Log    *slog.Logger
	Clock  clock.Clock
	// PlatformOn reports whether the developer platform is switched on.
	PlatformOn bool
}

func (c Config) check() error {
	if c.Auth == nil || c.Candidate == nil || c.BaseURL == "" || c.AppURL == "" || c.URL == "" ||
		c.Security == nil || c.Page == nil || c.Limits == nil || c.Log == nil || c.Clock == nil {
		return errors.New("console: the configuration is incomplete")
	}
	return nil
}

// Shell renders and guards the pages of the console.
type Shell struct {
	Config
	*web.Site
	console    authv1.ConsoleServiceClient
	developers authv1.DeveloperServiceClient
	members    authv1.MemberServiceClient
}

// New returns a Shell with the templates and static files of the given packages. It fails if cfg is
// incomplete, or if a template or message is invalid.
func New(cfg Config, subjects ...fs.FS) (*Shell, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	s := &Shell{
		Config: cfg, console: authv1.NewConsoleServiceClient(cfg.Auth),
		developers: authv1.NewDeveloperServiceClient(cfg.Auth), members: authv1.NewMemberServiceClient(cfg.Auth),
	}
	var err error
	s.Site, err = web.New(web.Config{
		Name: Name, Brand: "Vitae Console", URL: cfg.URL, Files: append(web.Layers{files}, subjects...), Languages: []string{"en"},
		Functions: template.FuncMap{
			"frame": frameOf, "input": newInput, "moment": moment, "date": Date, "instant": Instant, "dated": dated, "part": part,
			"grouped": plot.Grouped, "clock": clockTime, "formname": rand.Text, "once": once, "dangerous": dangerous,
		},
		Assets: map[string][]string{
			"app.css":    {"tokens.css", "base.css", "parts.css", "console.css", "plot.css"},
			"console.js": {"console.js"}, "requests.js": {"requests.js"},
		},
		Policy:       s.Policy(false),
		CookiePrefix: "vitae_console", CookieKeys: cfg.CookieKeys,
		Failures: failures, Around: s.around, SignInPath: signInFor, FormPath: formPage, PlatformOn: cfg.PlatformOn,
		Clock: cfg.Clock, Log: cfg.Log,
	})
	return s, err
}

// Policy returns the Content-Security-Policy of a page. If fetch is set, its script may call the
// console. Images may come from AppURL, which serves the logos. The form-action directive includes
// the URLs of the sign-in, because browsers also apply it to redirects, and a form without a
// session is redirected there.
func (s *Shell) Policy(fetch bool) web.Policy {
	return web.Policy{Scripts: true, Connect: fetch, Images: " " + s.AppURL, FormAction: " " + s.BaseURL + " " + s.AppURL}
}

// Handler returns a handler that serves the routes.
func (s *Shell) Handler(routes []web.Route) (http.Handler, error) {
	for i := range routes {
		if routes[i].TooLarge == nil {
			routes[i].TooLarge = s.refuseLarge
		}
		if routes[i].MaxUpload > 0 {
			routes[i].Session = s.hasSession
		}
	}
	handler, err := s.Site.Handler(routes)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), resolutionKey{}, &resolution{})))
	}), err
}

// signInFor returns the path of the sign-in that leads back to the page requested by r.
func signInFor(r *http.Request) string {
	if r.Method != http.MethodGet || r.URL.Path == "/" {
		return SignInPath
	}
	return SignInPath + "?" + url.Values{ReturnField: {r.URL.RequestURI()}}.Encode()
}
