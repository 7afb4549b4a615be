// Package seen describes in words what an app sees of a person: what its connection allows, and
// what its API requests return.
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

// Files contains the package's template.
//
//go:embed templates
var Files embed.FS

// Shown produces the API responses that apps get, using the handlers of the API. They serve the
// principal in the request's context without further authentication, which is the task of the
// pages. All fields are required.
type Shown struct {
	// Me serves GET /v1/me, CV serves GET /v1/me/cv and PDF serves GET /v1/me/cv.pdf. Legacy serves
	// the profile of the legacy interface.
	Me, CV, PDF, Legacy http.Handler
	// PublicPDF writes the PDF of a public CV. share identifies the client to whose share of the
	// renderer's queue the request belongs. PublicPDF returns the renderer's errors.
	PublicPDF func(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error
	// Sign adds those URLs to a principal that only the gateway can create.
	Sign func(*identityv1.Principal) *identityv1.Principal
}

// Complete reports whether all fields are set.
func (s Shown) Complete() bool {
	return s.Me != nil && s.CV != nil && s.PDF != nil && s.Legacy != nil && s.PublicPDF != nil && s.Sign != nil
}

// Answer is the API response that an app gets.
type Answer struct {
	Status int
	Body   []byte
}

// Ask serves the app's request for path with a handler of Shown, and returns the response.
func Ask(as *http.Request, path string, h http.Handler) Answer {
	as = as.Clone(as.Context())
	as.URL.Path = path
	got := &heldAnswer{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(got, as)
	return Answer{got.status, got.body.Bytes()}
}

// Failed reports whether the response shows an internal error in Vitae.
func (a Answer) Failed() bool { return a.Status >= http.StatusInternalServerError }

// By returns the message keys that describe what an app sees through a connection.
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

// heldAnswer is a ResponseWriter that stores the response in memory.
type heldAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *heldAnswer) Header() http.Header { return a.header }

func (a *heldAnswer) WriteHeader(status int) { a.status = status }

func (a *heldAnswer) Write(b []byte) (int, error) { return a.body.Write(b) }
