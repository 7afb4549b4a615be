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

// logoPages serve the logos of apps (behaviour: apps#logos).
type logoPages struct{ auth authv1.AppLogoServiceClient }

// logoVersion is the form of a version. auth is not asked about anything else.
var logoVersion = regexp.MustCompile(`^[0-9a-f]{24}$`)

// show answers with a logo. Its address names the version, so browsers cache
// it forever.
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
	// A site of another port of this host, as the developer console, may show it too.
	h.Set("Cross-Origin-Resource-Policy", "same-site")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(logo.GetJpeg()) // an error means that the client has gone
	return nil
}
