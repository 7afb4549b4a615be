// Package seen has what an app sees of a person, in words: what its connection allows, and what its
// requests return.
package seen

import (
	"bytes"
	"embed"
	"net/http"
	"slices"

	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Files has a template.
//
//go:embed templates
var Files embed.FS

// Shown answers as apps are answered, by the same code: for the principal of the request's
// context, whom the pages vouch for. All of it is required.
type Shown struct {
	// Me is GET /v1/me, CV GET /v1/me/cv and PDF GET /v1/me/cv.pdf; Legacy is the profile of
	// the legacy interface.
	Me, CV, PDF, Legacy http.Handler
	// PublicPDF answers with the PDF of a CV that everybody may see. share separates it from those
	// of others in the renderer's queue. Errors: those of the renderer.
	PublicPDF func(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error
	// Sign returns a principal with the addresses that only the gateway can make.
	Sign func(*identityv1.Principal) *identityv1.Principal
}

// Complete reports whether nothing is missing.
func (s Shown) Complete() bool {
	return s.Me != nil && s.CV != nil && s.PDF != nil && s.Legacy != nil && s.PublicPDF != nil && s.Sign != nil
}

// Answer is what an app gets.
type Answer struct {
	Status int
	Body   []byte
}

// Ask has a handler of Shown answer a request of the app for a path.
func Ask(as *http.Request, path string, h http.Handler) Answer {
	as = as.Clone(as.Context())
	as.URL.Path = path
	got := &heldAnswer{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(got, as)
	return Answer{got.status, got.body.Bytes()}
}

// Failed reports a failure of Vitae, which is not an answer to the app.
func (a Answer) Failed() bool { return a.Status >= http.StatusInternalServerError }

// By returns the message keys of what an app sees by a connection.
func By(c *authv1.Connection) (keys []string) {
	if c.GetLegacy() && c.GetPausedAt() == nil {
		keys = append(keys, "connections.chip.legacy")
	}
	if slices.Contains(c.GetScopes(), scope.Profile) {
		keys = append(keys, "connections.chip.profile")
	}
	if c.GetSharePhoto() && c.GetPausedAt() == nil {
		keys = append(keys, "connections.chip.photo")
	}
	for _, one := range []struct{ scope, key string }{
		{scope.Email, "connections.chip.email"}, {scope.CVRead, "connections.chip.cv"}, {scope.CVContact, "connections.chip.contact"},
	} {
		if slices.Contains(c.GetScopes(), one.scope) {
			keys = append(keys, one.key)
		}
	}
	return keys
}

// heldAnswer keeps an answer in memory.
type heldAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *heldAnswer) Header() http.Header { return a.header }

func (a *heldAnswer) WriteHeader(status int) { a.status = status }

func (a *heldAnswer) Write(b []byte) (int, error) { return a.body.Write(b) }
