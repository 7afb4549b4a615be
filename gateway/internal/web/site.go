package web

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"

	"vitae.internal/gateway/internal/web/i18n"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/keyring"
)

// kit holds the layout, the error page, the styles and the messages that all sites share.
//
//go:embed templates messages static
var kit embed.FS

// Config describes a site. Functions, Assets, Policy, Failures, SealSession, Around, Waiting and PlatformOn are
// optional.
type Config struct {
	// Name separates the site's signatures from the signatures of other sites that have the same
	// CookieKeys. It also identifies the site in the log.
	Name string
	// Brand is the site's name in the header and the title of every page.
	Brand string
	// URL is the http or https URL of the site, without a trailing slash.
	URL string
	// Files contains the site's own files:
	//   - templates/<page>.html, one per page, which defines the block "content";
	//   - templates/shared/*.html, blocks for all pages, in an optional directory;
	//   - messages/<tag>.json, one per language (see package i18n);
	//   - static/*, the files that Assets lists.
	// They replace the shared files of the same name.
	Files fs.FS
	// Languages lists the BCP 47 tags of the languages. The first is the default.
	Languages []string
	// Functions holds additional template functions.
	Functions template.FuncMap
	// Assets maps each asset to the files of static that it is concatenated from. The defaults are "app.css"
	// and "favicon.svg".
	Assets map[string][]string
	// Policy is the default policy of the pages.
	Policy Policy
	// CookiePrefix is the prefix of every cookie name. Browsers send the cookies of a host to all its ports, so
	// each site needs a different prefix.
	CookiePrefix string
	// CookieKeys holds the keys that sign forms and cookies. All replicas need the same keys.
	CookieKeys keyring.Ring
	// SealSession means that the session cookie is signed, like other sealed cookies. Otherwise, the cookie
	// contains the bare session token, which must then be unguessable.
	SealSession bool
	// Failures maps error codes to their own error messages.
	Failures map[string]Failure
	// SignInPath returns the path of a sign-in page that leads back to the request's page. For a POST, the form
	// has already been read, except on routes with a Session.
	SignInPath func(*http.Request) string
	// FormPath returns the path of the page with the form of a rejected POST.
	FormPath func(*http.Request) string
	// Around returns the layout data of an error page: the visitor, or nil if no one is known to be signed in,
	// and the data for the site's blocks. If it is nil, error pages have only the basic layout.
	Around func(*http.Request) (Visitor, any)
	// Waiting returns the page to which a visitor should return after the current one, or nil if there
	// is none.
	Waiting func(*Site, *http.Request) *Waiting
	// PlatformOn is false while the developer platform is off. Routes with Platform then respond with 404.
	PlatformOn bool
	// Clock determines whether sealed cookies have expired.
	Clock clock.Clock
	Log   *slog.Logger
}

// Site serves the pages that a Config describes.
type Site struct {
	cfg       Config
	mac       *keyring.MAC
	secure    bool // browsers reach the site over https
	origins   *http.CrossOriginProtection
	catalog   *i18n.Catalogue
	assets    assets
	templates templates
	// isPage reports whether there is a page at the path. It is set by Handler.
	isPage func(path string) bool
}

// New returns a Site. It returns an error if cfg is incomplete, if a template, message or asset is missing or
// broken, or if an error page cannot be rendered in every language.
func New(cfg Config) (*Site, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	s := &Site{cfg: cfg, origins: http.NewCrossOriginProtection()}
	if err := s.reach(cfg.URL); err != nil {
		return nil, err
	}
	var err error
	if s.mac, err = cfg.CookieKeys.MAC("vitae " + cfg.Name); err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Name, err)
	}
	if s.catalog, err = i18n.Load(cfg.Languages, kit, cfg.Files); err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Name, err)
	}
	if s.assets, err = loadAssets(cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Name, err)
	}
	if s.templates, err = s.parseTemplates(); err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Name, err)
	}
	if err := s.tryFailures(); err != nil {
		return nil, err
	}
	return s, nil
}

func (c Config) check() error {
	if c.Name == "" || c.Brand == "" || c.Files == nil || len(c.Languages) == 0 || c.CookiePrefix == "" ||
		c.SignInPath == nil || c.FormPath == nil || c.Clock == nil || c.Log == nil {
		return errors.New("web: the configuration of a site is incomplete")
	}
	return nil
}

// reach parses the site's URL and allows POST requests from its origin. This is needed behind a proxy, where
// the Host header may differ from the host in the browser.
func (s *Site) reach(address string) error {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%s: the site's URL is not an http or https URL", s.cfg.Name)
	}
	s.secure = u.Scheme == "https"
	if err := s.origins.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		return fmt.Errorf("%s: %w", s.cfg.Name, err)
	}
	return nil
}
