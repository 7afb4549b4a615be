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

// kit holds what all sites have in common: the layout, the failure page, the look
// and the texts that these need.
//
//go:embed templates messages static
var kit embed.FS

// Config is what a site is made of. Functions, Assets, Policy, Failures,
// SealSession, Around, Waiting and PlatformOn may be left out; everything else is required.
type Config struct {
	// Name tells this site's signatures from those of another site with the same
	// CookieKeys, and its errors in the log.
	Name string
	// Brand is what the header and the title of every page call the site.
	Brand string
	// URL is where browsers reach the site, http or https; no trailing slash.
	URL string
	// Files holds the site's own files:
	//   - templates/<page>.html, one per page, which defines the block "content";
	//   - templates/shared/*.html, blocks for all pages; the directory may be missing;
	//   - messages/<tag>.json, one per language, see package i18n;
	//   - static/*, what Assets names.
	// The kit has a page "error", texts and style of its own, which the site's replace
	// where they have the same name.
	Files fs.FS
	// Languages are BCP 47 tags; the first is for browsers that ask for none of them.
	Languages []string
	// Functions are what the site's templates call besides the kit's functions.
	Functions template.FuncMap
	// Assets says which files of static make up an asset, in this order. Without an
	// entry, "app.css" is the kit's style and "favicon.svg" the kit's icon.
	Assets map[string][]string
	// Policy is that of every page that does not set its own.
	Policy Policy
	// CookiePrefix begins the name of every cookie. Browsers send the cookies of a
	// host to all its ports, so two sites must not have the same one.
	CookiePrefix string
	// CookieKeys sign forms and cookies, the same on all replicas.
	CookieKeys keyring.Ring
	// SealSession signs the session cookie too. Without it the cookie holds the
	// session token as it is, which must then be one that nobody can guess.
	SealSession bool
	// Failures are the error codes about which the failure page says more than their
	// status does.
	Failures map[string]Failure
	// SignInPath gives the path of the sign-in page from which the visitor comes back
	// to what the request asked for. The form of a post has been read.
	SignInPath func(*http.Request) string
	// FormPath gives the path of the page on which the form of a refused post stands.
	FormPath func(*http.Request) string
	// Around gives what stands around the failure page of a request: the visitor, nil if
	// nobody is known to be signed in, and the data with which the site's blocks draw the
	// rest. Without it a failure page stands alone.
	Around func(*http.Request) (Visitor, any)
	// Waiting finds what a visitor was about to do before coming to a page, nil for nothing. Without it
	// nothing ever waits.
	Waiting func(*Site, *http.Request) *Waiting
	// PlatformOn is false while the developer platform is switched off. It closes the
	// routes with Platform.
	PlatformOn bool
	// Clock tells when sealed cookies end.
	Clock clock.Clock
	Log   *slog.Logger
}

// Site is the kit, filled with the files and rules of one site.
type Site struct {
	cfg       Config
	mac       *keyring.MAC
	secure    bool // the site is reached over https
	origins   *http.CrossOriginProtection
	catalog   *i18n.Catalogue
	assets    assets
	templates templates
	// isPage reports whether a path is that of a page. Handler sets it.
	isPage func(path string) bool
}

// New builds a site. It fails when cfg is incomplete, when a template, a text or an
// asset is missing or broken, and when a failure cannot be shown in every language.
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

// reach reads the site's address. Behind a proxy the Host header need not be the one
// that the browser knows, so posts are also taken from the origin of the address.
func (s *Site) reach(address string) error {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%s: the site's address is not an http or https URL", s.cfg.Name)
	}
	s.secure = u.Scheme == "https"
	if err := s.origins.AddTrustedOrigin(u.Scheme + "://" + u.Host); err != nil {
		return fmt.Errorf("%s: %w", s.cfg.Name, err)
	}
	return nil
}
