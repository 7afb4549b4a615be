package pages

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"

	"google.golang.org/grpc"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/gateway/internal/pages/guides"
	"vitae.internal/gateway/internal/pages/i18n"
	"vitae.internal/pkg/clock"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Sessions is what the pages need of people's browser sessions.
type Sessions interface {
	SignIn(context.Context, *authv1.SignInRequest, ...grpc.CallOption) (*authv1.SignInResponse, error)
	GetSession(context.Context, *authv1.GetSessionRequest, ...grpc.CallOption) (*authv1.GetSessionResponse, error)
	SignOut(context.Context, *authv1.SignOutRequest, ...grpc.CallOption) (*authv1.SignOutResponse, error)
}

// OAuth is what the pages need of the authorization server.
type OAuth interface {
	oauth.AuthorizationChecker
	Authorize(context.Context, *authv1.AuthorizeRequest, ...grpc.CallOption) (*authv1.AuthorizeResponse, error)
}

// Connections is what the pages need of the apps that a person has connected.
type Connections interface {
	ListConnections(context.Context, *authv1.ListConnectionsRequest, ...grpc.CallOption) (*authv1.ListConnectionsResponse, error)
	UpdateConnection(context.Context, *authv1.UpdateConnectionRequest, ...grpc.CallOption) (*authv1.UpdateConnectionResponse, error)
	Disconnect(context.Context, *authv1.DisconnectRequest, ...grpc.CallOption) (*authv1.DisconnectResponse, error)
}

// Profiles is what the pages need of people's profiles.
type Profiles interface {
	ListCvs(context.Context, *candidatev1.ListCvsRequest, ...grpc.CallOption) (*candidatev1.ListCvsResponse, error)
	GetPublicProfile(context.Context, *candidatev1.GetPublicProfileRequest, ...grpc.CallOption) (*candidatev1.GetPublicProfileResponse, error)
}

// Config is what the pages are made of. Everything but PlatformOff is required.
type Config struct {
	Sessions    Sessions
	OAuth       OAuth
	Connections Connections
	Profiles    Profiles
	// BaseURL is the edge's address and the issuer of RFC 9207; no trailing slash.
	BaseURL string
	// AppURL is where the pages are reached from outside; no trailing slash.
	AppURL string
	// LegacyURL is the address of the older interface, which its guide names; no
	// trailing slash.
	LegacyURL string
	// Document serves the OpenAPI document, as GET {BaseURL}/v1/openapi.json does. It
	// sets all headers of the answer but those of security.
	Document http.Handler
	// CookieKey signs forms and cookies; at least 32 bytes, the same on all replicas.
	CookieKey []byte
	// ClientIP gives the address of the client, for slowing down guesses.
	ClientIP func(*http.Request) string
	Log      *slog.Logger
	Clock    clock.Clock
	// PlatformOff refuses to connect apps (spec: DEVELOPER_PLATFORM_DISABLED).
	PlatformOff bool
}

// minCookieKey is the least length of Config.CookieKey in bytes, as long as the
// output of the hash that it keys.
const minCookieKey = 32

// Pages serves the pages.
type Pages struct {
	cfg      Config
	secure   bool // the pages are reached over https
	origins  *http.CrossOriginProtection
	catalog  *i18n.Catalogue
	assets   assets
	layouts  layouts
	guides   []guides.Guide
	dispatch http.Handler
}

// New builds the pages. It fails when something is missing from cfg, or when a
// template or a text is broken.
func New(cfg Config) (*Pages, error) {
	app, err := cfg.check()
	if err != nil {
		return nil, err
	}
	p := &Pages{cfg: cfg, secure: app.Scheme == "https", origins: http.NewCrossOriginProtection()}
	// Behind a proxy the Host header need not be the one that the browser knows.
	if err := p.origins.AddTrustedOrigin(app.Scheme + "://" + app.Host); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	if p.catalog, err = i18n.Load(); err != nil {
		return nil, err
	}
	if p.assets, err = loadAssets(); err != nil {
		return nil, err
	}
	if p.layouts, err = parseLayouts(p.catalog, p.assets); err != nil {
		return nil, err
	}
	at := guides.Addresses{Base: cfg.BaseURL, App: cfg.AppURL, Legacy: cfg.LegacyURL}
	if p.guides, err = guides.Render(docs.Files, docs.Guides, at); err != nil {
		return nil, err
	}
	p.dispatch = p.newRouter()
	return p, nil
}

func (c Config) check() (*url.URL, error) {
	if c.Sessions == nil || c.OAuth == nil || c.Connections == nil || c.Profiles == nil ||
		c.ClientIP == nil || c.Document == nil || c.Log == nil || c.Clock == nil || c.BaseURL == "" || c.LegacyURL == "" {
		return nil, errors.New("pages: the configuration is incomplete")
	}
	if len(c.CookieKey) < minCookieKey {
		return nil, fmt.Errorf("pages: the cookie key is shorter than %d bytes", minCookieKey)
	}
	app, err := url.Parse(c.AppURL)
	if err != nil || (app.Scheme != "http" && app.Scheme != "https") || app.Host == "" {
		return nil, errors.New("pages: the app URL is not an http or https URL")
	}
	return app, nil
}

// ServeHTTP implements http.Handler.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	securityHeaders(w.Header())
	p.dispatch.ServeHTTP(w, r)
}
