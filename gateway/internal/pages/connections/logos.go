package connections

import (
	"net/http"
	"regexp"
	"strconv"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// logoPages serves the logos of apps (behaviour: apps#logos).
type logoPages struct{ auth authv1.AppLogoServiceClient }

// logoVersion matches valid version numbers. Requests with other values are rejected without calling
// the auth service.
var logoVersion = regexp.MustCompile(`^[0-9a-f]{24}$`)

// show sends a logo. Its URL contains the version, so browsers can cache it forever.
func (p logoPages) show(w http.ResponseWriter, r *http.Request) error {
	app, version := r.PathValue("app"), r.PathValue("version")
	if !id.Valid("app", app) || !logoVersion.MatchString(version) {
		return web.NotFound()
	}
	logo, err := p.auth.GetAppLogo(r.Context(), &authv1.GetAppLogoRequest{AppId: app, Version: version})
	if errs.KindOf(err) == errs.NotFound {
		return web.NotFound()
	}
	if err != nil {
		return err
	}
	h := w.Header()
	h.Del("Vary")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Type", "image/jpeg")
	h.Set("Content-Length", strconv.Itoa(len(logo.GetJpeg())))
	// A site on a different port of this host, such as the developer console, may also show the logo.
	h.Set("Cross-Origin-Resource-Policy", "same-site")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(logo.GetJpeg()) // fails only if the client has disconnected
	return nil
}
