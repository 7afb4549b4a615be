package app_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// TestResponsesMatchDocument provokes every response that the document describes. The document must describe
// every response that occurs, and every response that it describes must occur.
func TestResponsesMatchDocument(t *testing.T) {
	t.Parallel()
	d, types := readDocument(t), responsesOf(t)
	s := newDocumentScene(t)
	for _, o := range d.operations {
		good := s.request(o, s.credentialOf(o))
		d.successes(t, s, o, good, types[o.id])
		d.refusals(t, s, o, good)
	}
	d.faults(t)
	d.tiers(t)
	d.switchedOff(t)
	d.flooded(t)
	d.wordings(t)
	for _, o := range d.operations {
		for _, code := range d.codes(o) {
			if !d.codesSeen[o.id][code] && !unprovoked[o.id+" "+code] {
				t.Errorf("%s: the document describes %s, but it did not occur", o.id, code)
			}
		}
	}
}

// wordings fails the test if the message in an example differs from the gateway's own message. It skips
// messages that come from the services.
func (d *document) wordings(t *testing.T) {
	t.Helper()
	for _, fault := range partFaults {
		e, _ := errs.As(fault)
		for _, said := range d.messagesSeen {
			delete(said, e.Message)
		}
	}
	for _, o := range d.operations {
		d.examples(o, func(code string, body any) {
			said := d.messagesSeen[o.id+" "+code]
			if len(said) > 0 && !said[generalized(body)] && !wordedByParts[code] {
				t.Errorf("%s: the example of %s has the message %q, the gateway sends %q", o.id, code, generalized(body), slices.Collect(maps.Keys(said)))
			}
		})
	}
}

// wordedByParts lists the codes whose messages mostly come from the services.
var wordedByParts = map[string]bool{
	"PUBLIC_API_VALIDATION_ERROR": true, "OAUTH_INVALID_REQUEST": true, "OAUTH_INVALID_CLIENT": true,
	"invalid_request": true, "invalid_client": true, "access_denied": true,
}

// unprovoked lists the failures that only a panic could cause.
var unprovoked = map[string]bool{"getOpenApi INTERNAL_ERROR": true, "getAuthorizationServer INTERNAL_ERROR": true}

// successes provokes a complete response, a minimal response and a 304.
func (d *document) successes(t *testing.T, s *scene, o operation, good request, m proto.Message) {
	t.Helper()
	for _, bare := range []bool{false, true} {
		switch m := filled(m, bare).(type) {
		case *candidatev1.GetMeResponse:
			s.me.set(func(f *fakeMe) { f.user = m.GetUser() })
		case *candidatev1.GetSharedCvResponse:
			s.me.set(func(f *fakeMe) { f.cv = m.GetCv() })
		default:
			s.partner.willReturn(m, nil)
		}
		a := s.send(o, good)
		if a.StatusCode >= 400 {
			t.Errorf("%s: a valid request gets %d %s", o.id, a.StatusCode, a.body)
		}
		d.check(t, o, a)
		if tag := a.Header.Get("ETag"); tag != "" {
			again := good
			again.headers = append(slices.Clone(good.headers), "If-None-Match", tag)
			if a := s.send(o, again); a.StatusCode != http.StatusNotModified {
				t.Errorf("%s: %d for a current ETag, want 304", o.id, a.StatusCode)
			} else {
				d.check(t, o, a)
			}
		}
	}
	s.partner.set(func(f *fakePartner) { f.respond = nil })
	s.me.set(func(f *fakeMe) { f.user, f.cv = nil, nil })
}

// refusals sends requests that the gateway rejects without calling a service.
func (d *document) refusals(t *testing.T, s *scene, o operation, good request) {
	t.Helper()
	want := func(status int, change func(*request)) {
		t.Helper()
		r := good
		r.headers = slices.Clone(good.headers)
		change(&r)
		a := s.send(o, r)
		if a.StatusCode != status {
			t.Errorf("%s: %d %s, want %d", o.id, a.StatusCode, a.body, status)
		}
		d.check(t, o, a)
	}
	want(413, func(r *request) { r.body = strings.Repeat(" ", 1<<20+1) })
	if strings.Contains(o.path, "{") {
		want(404, func(r *request) {
			r.path = o.path[:strings.Index(o.path, "{")] + "%ff" + o.path[strings.Index(o.path, "}")+1:]
		})
	}
	if o.id == "openCvLink" || o.id == "openPhoto" {
		want(404, func(r *request) { r.path = strings.Replace(o.path, "{token}", "%00", 1) }) // NUL is not allowed in a path, so it matches no route
	}
	if o.object["requestBody"] != nil {
		status := http.StatusUnsupportedMediaType
		if o.scheme == "client" {
			status = http.StatusBadRequest // the status that RFC 6749 requires
		}
		want(status, func(r *request) { r.headers[1] = "text/plain" })
	}
	switch {
	case o.scheme == "apiKey" || o.scheme == "userToken":
		want(400, func(r *request) { r.query = "x=%zz" })
		want(401, func(r *request) { r.headers = r.headers[:len(r.headers)-2] })
		want(401, func(r *request) { r.headers[len(r.headers)-1] = "Bearer " + s.expired() })
		want(401, func(r *request) { r.headers[len(r.headers)-1] = "Bearer " + s.unknown(o) })
		want(403, func(r *request) { r.headers[len(r.headers)-1] = "Bearer " + s.limited(o, 0) })
		want(403, func(r *request) { r.headers[len(r.headers)-1] = "Bearer " + s.limited(o, 1) })
		want(429, func(r *request) { r.headers[len(r.headers)-1] = "Bearer " + s.limited(o, 2) })
		want(429, func(r *request) { r.headers[len(r.headers)-1] = "Bearer " + s.limited(o, 3) })
	case o.scheme == "client":
		want(400, func(r *request) { r.body = "token=a&token=b" })
		want(400, func(r *request) { r.body = "grant_type=password&client_id=x" })
		want(401, func(r *request) { r.body = "grant_type=refresh_token&token=x" })
	case o.id == "openCvLink":
		want(400, func(r *request) { r.query = "x=%zz" })
	case o.id == "authorize":
		want(400, func(r *request) { r.query = "client_id=a&client_id=b" })
	}
}

// partFaults lists the errors that services return.
var partFaults = []error{
	errs.New(errs.Internal, "BROKEN", "broken"),
	errs.New(errs.Unavailable, "DOWN", "down"),
	errs.New(errs.Denied, "COMPANY_NOT_MANAGED_BY_APP", "no"),
	errs.New(errs.NotFound, "JOB_NOT_FOUND", "no"),
	errs.New(errs.NotFound, "APPLICATION_NOT_FOUND", "no"),
	errs.New(errs.NotFound, "CV_NOT_FOUND", "no"),
	errs.New(errs.Invalid, "PUBLIC_API_VALIDATION_ERROR", "must not be blank").WithField("basics.title"),
	errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", "no"),
	errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "no"),
	errs.New(errs.Invalid, "OAUTH_INVALID_GRANT", "no"),
	errs.New(errs.Invalid, "OAUTH_INVALID_SCOPE", "no"),
	errs.New(errs.Invalid, "OAUTH_UNAUTHORIZED_CLIENT", "no"),
	errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "no"),
	errs.New(errs.NotFound, "RESUME_NOT_FOUND", "no"),
}

// faults makes the services return each error that the operation declares.
func (d *document) faults(t *testing.T) {
	t.Helper()
	s := newDocumentScene(t)
	for _, o := range d.operations {
		codes := d.codes(o)
		for _, fault := range partFaults {
			e, _ := errs.As(fault)
			flat := strings.ToLower(strings.TrimPrefix(e.Code, "OAUTH_"))
			ours := e.Kind == errs.Internal || e.Kind == errs.Unavailable ||
				e.Code == "RESUME_NOT_FOUND" && o.id == "downloadResume" ||
				// A suspended account may revoke tokens (behaviour: tokens#revocation).
				e.Code == "DEVELOPER_ACCOUNT_SUSPENDED" && strings.HasPrefix(o.path, "/oauth/") && o.id != "revokeToken" ||
				e.Code == "CV_NOT_FOUND" && o.id == "openCvLink"
			if !ours && !slices.Contains(codes, e.Code) && !slices.Contains(codes, flat) {
				continue
			}
			s.failing(fault)
			s.me.set(func(f *fakeMe) { f.fault = fault })
			s.photos.set(func(f *fakePhotos) { f.fault = fault })
			s.partner.set(func(f *fakePartner) {
				f.pieces, f.fault = nil, fault
				f.respond = func(proto.Message) (proto.Message, error) { return nil, fault }
			})
			d.check(t, o, s.send(o, s.request(o, s.credentialOf(o))))
		}
	}
	s.auth.fail(errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "gone"))
	for _, o := range d.operations {
		if o.scheme == "userToken" {
			token := newToken()
			s.auth.put(token, &authv1.SessionRecord{Principal: fullPrincipal()})
			d.check(t, o, s.send(o, s.request(o, token)))
		}
	}
	s.auth.fail(nil)
	link := fullPrincipal()
	link.Kind = identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
	s = newDocumentScene(t) // because the live link's session record may still be in Redis
	s.auth.put(linkID, &authv1.SessionRecord{Principal: link, AccountSuspended: true})
	for _, o := range d.operations {
		if o.id == "openCvLink" {
			d.check(t, o, s.send(o, s.request(o, "")))
		}
	}
}

// tiers exhausts the tiers of surfaces that do not authenticate an account.
func (d *document) tiers(t *testing.T) {
	t.Helper()
	s := newDocumentScene(t, set("VITAE_SURFACE_TIERS", "on"), set("VITAE_TIER_OAUTH", "1/1h 1/1h"), set("VITAE_TIER_CV_LINK", "1/1h 1/1h"),
		set("VITAE_TIER_AUTHORIZE", "1/1h 1/1h"), set("VITAE_TRUSTED_PROXIES", "127.0.0.1"),
		set("VITAE_TIER_PHOTO", "1/1h 1/1h"), set("VITAE_TIER_RESUME", "1/1h 1/1h"))
	for _, o := range d.operations {
		if o.scheme == "client" || o.id == "openCvLink" || o.id == "openPhoto" || o.id == "downloadResume" || o.id == "authorize" {
			r := s.request(o, "")
			s.send(o, r)
			if a := s.send(o, r); a.StatusCode != http.StatusTooManyRequests {
				t.Errorf("%s: %d", o.id, a.StatusCode)
			} else {
				d.check(t, o, a)
			}
		}
	}
}

func (d *document) switchedOff(t *testing.T) {
	t.Helper()
	s := newDocumentScene(t, set("VITAE_DEVELOPER_PLATFORM", "off"))
	for _, o := range d.operations {
		a := s.send(o, s.request(o, s.credentialOf(o)))
		if a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d while the platform is off", o.id, a.StatusCode)
		}
		d.check(t, o, a)
	}
}

// flooded sends a request while the number of in-flight requests is at its maximum.
func (d *document) flooded(t *testing.T) {
	t.Helper()
	s := newDocumentScene(t, set("VITAE_MAX_IN_FLIGHT", "1"))
	held, release := make(chan struct{}), make(chan struct{})
	s.me.hold = func() { close(held); <-release }
	done := make(chan answer, 1)
	go func() { done <- s.get("/v1/me") }()
	<-held
	for _, o := range d.operations {
		a := s.send(o, s.request(o, s.credentialOf(o)))
		if a.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s: status %d while too many requests are in flight", o.id, a.StatusCode)
		}
		d.check(t, o, a)
	}
	close(release)
	<-done
}
