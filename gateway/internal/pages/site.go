package pages

import (
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/pages/account"
	"vitae.internal/gateway/internal/pages/connections"
	"vitae.internal/gateway/internal/pages/consent"
	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/docs"
	"vitae.internal/gateway/internal/pages/entry"
	"vitae.internal/gateway/internal/pages/profile"
	"vitae.internal/gateway/internal/pages/public"
	"vitae.internal/gateway/internal/pages/seen"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/keyring"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// files contains the site's own templates, translations and styles.
//
//go:embed templates messages static
var files embed.FS

// Name is the name of this site in logs and metrics.
const Name = "pages"

// Shown is what apps see of a person.
type Shown = seen.Shown

// Config configures the pages. All fields except PlatformOn and ProfileURL are required.
type Config struct {
	// Auth and Candidate are connections to those services.
	Auth, Candidate grpc.ClientConnInterface
	Shown           Shown
	OwnPDF          profile.OwnPDF
	// BaseURL is the URL of the REST API, without a trailing slash. It is also the issuer (RFC
	// 9207).
	BaseURL string
	// AppURL is the URL at which browsers reach the pages, without a trailing slash.
	AppURL string
	// LegacyURL is the URL of the legacy interface, without a trailing slash. One guide mentions
	// it.
	LegacyURL string
	// ConsoleURL is the URL of the developer console, without a trailing slash. The guides mention
	// it.
	ConsoleURL string
	// ProfileURL is the URL of an external editor that replaces the pages' own profile and CV
	// editor, or "" if there is none (behaviour: profiles#external-editor).
	ProfileURL string
	// Document serves the OpenAPI document, as GET {BaseURL}/v1/openapi.json does. It sets all
	// headers of the response except the security headers.
	Document http.Handler
	// Specification is the document that Document serves. The API reference is generated from it.
	Specification []byte
	// Security serves security.txt (RFC 9116).
	Security http.Handler
	// CookieKeys sign forms and cookies. All replicas need the same keys.
	CookieKeys keyring.Ring
	// ClientIP returns the client's IP address. The auth service uses it to rate-limit password
	// guesses.
	ClientIP func(*http.Request) string
	// Authorize counts an authorization request against the limit of the client's IP address. Page
	// does the same for a page that calls a service. Both return RATE_LIMIT_EXCEEDED if the limit
	// is exceeded.
	Authorize func(*http.Request) error
	Page      func(*http.Request) error
	Log       *slog.Logger
	Clock     clock.Clock
	// PlatformOn reports whether the developer platform is switched on. While it is off, no app can
	// be connected (behaviour: errors#platform-off).
	PlatformOn bool
}

// New returns the listener of the pages. It fails if a required field of cfg is missing, or if a
// template, translation or guide is invalid.
func New(cfg Config) (chain.Listener, error) {
	if err := cfg.check(); err != nil {
		return chain.Listener{}, err
	}
	site, err := newShell(cfg)
	if err != nil {
		return chain.Listener{}, err
	}
	all, err := routes(cfg, site)
	if err != nil {
		return chain.Listener{}, err
	}
	handler, err := site.Handler(all)
	if err != nil {
		return chain.Listener{}, err
	}
	return chain.Listener{
		Name: Name, Fail: site.Fail, Handler: handler, WhilePlatformOff: true,
		MaxBody: profile.MaxPhotoForm,
		Timeout: chain.RevokeTimeout, // disconnecting an app revokes tokens
	}, nil
}

func (c Config) check() error {
	if c.Auth == nil || c.Candidate == nil || !c.Shown.Complete() || c.OwnPDF == nil || c.BaseURL == "" || c.AppURL == "" || c.LegacyURL == "" || c.ConsoleURL == "" || c.Document == nil || c.Specification == nil ||
		c.Security == nil || c.ClientIP == nil || c.Authorize == nil || c.Page == nil || c.Log == nil || c.Clock == nil {
		return errors.New("pages: the configuration is incomplete")
	}
	return nil
}

// newShell configures package web with the files and rules of this site.
func newShell(cfg Config) (_ *shell.Shell, err error) {
	sh := &shell.Shell{Charge: cfg.Page}
	sh.Site, err = web.New(web.Config{
		Name: Name, Brand: "Vitae", URL: cfg.AppURL, Languages: []string{"en", "ar"},
		Files: web.Layers{
			files, account.Files, connections.Files, consent.Files, credential.Files, docs.Files, entry.Files, profile.Files, public.Files, seen.Files, shell.Files,
		},
		Functions: merge(profile.Functions, public.Functions, template.FuncMap{"withreturn": shell.WithReturn, "hour": clockTime, "navigation": cfg.navigation}),
		Assets: map[string][]string{
			"app.css":     {"tokens.css", "base.css", "parts.css", "pages.css", "editor.css"},
			"docs.css":    {"tokens.css", "base.css", "parts.css", "docs.css"},
			"docs.js":     {"docs.js"},
			"password.js": {"password.js"},
			"data.js":     {"data.js"},
			"editor.js":   {"editor.js"},
			"passkey.js":  {"passkey.js"},
			"photo.js":    {"photo.js"},
		},
		CookiePrefix: "vitae", CookieKeys: cfg.CookieKeys,
		Waiting:  sh.Waiting,
		Failures: shell.Failures, SignInPath: sh.SignInFor, FormPath: sh.FormBehind, PlatformOn: cfg.PlatformOn,
		Clock: cfg.Clock, Log: cfg.Log,
	})
	if err != nil {
		return nil, err
	}
	sh.Sessions = shell.NewSessions(sh.Site, authv1.NewSessionServiceClient(cfg.Auth))
	return sh, nil
}

// merge returns the union of several function maps.
func merge(all ...template.FuncMap) template.FuncMap {
	out := template.FuncMap{}
	for _, one := range all {
		maps.Copy(out, one)
	}
	return out
}

// clockTime formats t as HH:MM in UTC.
func clockTime(t time.Time) string { return t.UTC().Format("15:04") }
