package admission

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// counters is a fake Limiter that records its calls. It rejects subjects that begin with one of the prefixes
// in over.
type counters struct {
	charged, checked []string
	over             []string
}

var errOver = errs.New(errs.Exhausted, limits.CodeRate, "over")

func (c *counters) answer(subject string) error {
	for _, start := range c.over {
		if strings.HasPrefix(subject, start) {
			return errOver
		}
	}
	return nil
}

func (c *counters) Surface(_ context.Context, _ limits.Tier, subject string) error {
	c.charged = append(c.charged, subject)
	return c.answer(subject)
}

func (c *counters) CheckSurface(_ context.Context, _ limits.Tier, subject string, _ int) error {
	c.checked = append(c.checked, subject)
	return c.answer(subject)
}

type noUsage struct{}

func (noUsage) Record(chain.Record) {}

// behind runs a handler inside the middleware chain.
func behind(t *testing.T, r *http.Request, h http.Handler) *httptest.ResponseRecorder {
	t.Helper()
	return behindWith(t, answer.Errors{Log: slog.New(slog.DiscardHandler)}.Write, r, h)
}

// behindWith is like behind, but uses the given ErrorWriter.
func behindWith(t *testing.T, fail answer.ErrorWriter, r *http.Request, h http.Handler) *httptest.ResponseRecorder {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	listener, err := chain.New(chain.Config{Log: log, Usage: noUsage{}, PlatformOn: true, MaxInFlight: 10},
		chain.Listener{Name: "test", Fail: fail, Handler: h, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	listener.ServeHTTP(w, r)
	return w
}

func from(address string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/x", nil)
	r.RemoteAddr = address
	return r
}

// fakeVerifier is a Verifier that knows only one credential.
type fakeVerifier struct {
	record   *authv1.SessionRecord
	decision limits.Decision
	err      error
	asked    int
}

func (b *fakeVerifier) Admit(_ context.Context, kind identityv1.CredentialKind, _ credential.Digest, mayAsk credentials.MayAsk) (limits.Decision, error) {
	if _, err := b.Verify(context.Background(), kind, credential.Digest{}, mayAsk); err != nil {
		return limits.Decision{}, err
	}
	d := b.decision
	d.Record, d.Budget = b.record, &limits.Budget{PerMinute: 60, PerDay: 600, Now: 1_772_000_000_000_000}
	return d, nil
}

func (b *fakeVerifier) Verify(_ context.Context, _ identityv1.CredentialKind, _ credential.Digest, mayAsk credentials.MayAsk) (*authv1.SessionRecord, error) {
	b.asked++
	if mayAsk != nil {
		if err := mayAsk(); err != nil {
			return nil, err
		}
	}
	return b.record, b.err
}

func newGate(t *testing.T, b *fakeVerifier, c *counters) Gate {
	t.Helper()
	addresses, err := signedurl.New(testkit.Ring("cv_link", "a"), "https://api.example")
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGate(Shared{Verifier: b, Addresses: addresses, Limiter: c})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func live() *authv1.SessionRecord {
	return &authv1.SessionRecord{Principal: &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, AccountId: "dev_1", AppId: "app_1", ConnectionId: "con_1",
		Scopes: []string{"profile", "cv:read"}, CvLinkId: "lnk_1", SharePhoto: true, PhotoVersion: 3,
	}}
}

func TestUserTokenChecksRunInOrder(t *testing.T) {
	good := credential.New(credential.AccessToken)
	const madeUp = "made-up credential address 192.0.2.1"
	dead := func(code string) error { return errs.New(errs.Unauthenticated, code, "dead") }
	for name, c := range map[string]struct {
		bearer    string
		change    func(*fakeVerifier, *counters)
		status    int
		code      string
		asked     int
		charged   int
		budget    bool
		challenge string
	}{
		"live":                        {good, func(*fakeVerifier, *counters) {}, 200, "", 1, 0, true, ""},
		"malformed":                   {good + "x", func(*fakeVerifier, *counters) {}, 401, answer.CodeOAuthToken, 0, 1, false, ""},
		"an API key":                  {credential.New(credential.APIKey), func(*fakeVerifier, *counters) {}, 401, answer.CodeOAuthToken, 0, 0, false, ""},
		"never issued":                {good, func(b *fakeVerifier, _ *counters) { b.err = dead(credentials.CodeNotIssued) }, 401, answer.CodeOAuthToken, 1, 1, false, ""},
		"dead":                        {good, func(b *fakeVerifier, _ *counters) { b.err = dead(credentials.CodeUnknown) }, 401, answer.CodeOAuthToken, 1, 0, false, ""},
		"malformed too often":         {good + "x", func(_ *fakeVerifier, c *counters) { c.over = []string{"made-up"} }, 429, limits.CodeRate, 0, 1, false, ""},
		"rejected before the look-up": {good, func(_ *fakeVerifier, c *counters) { c.over = []string{"made-up"} }, 429, limits.CodeRate, 1, 0, false, ""},
		"no connection": {good, func(b *fakeVerifier, _ *counters) {
			b.err = errs.New(errs.NotFound, answer.CodeConnectionNotFound, "for operators")
		}, 404, answer.CodeConnectionNotFound + `","message":"The connection behind this token is gone."`, 1, 0, false, ""},
		"auth is down": {good, func(b *fakeVerifier, _ *counters) {
			b.err = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "x")
		}, 503, "SERVICE_UNAVAILABLE", 1, 0, false, ""},
		"suspended":                   {good, func(b *fakeVerifier, _ *counters) { b.record.AccountSuspended = true }, 403, answer.CodeAccountSuspended, 1, 0, true, ""},
		"over":                        {good, func(b *fakeVerifier, _ *counters) { b.decision.Refusal = errOver }, 429, limits.CodeRate, 1, 0, true, ""},
		"no scope":                    {good, func(b *fakeVerifier, _ *counters) { b.record.Principal.Scopes = []string{"profile"} }, 403, answer.CodeOAuthScope, 1, 0, true, `error="insufficient_scope", scope="cv:read"`},
		"over the limit and no scope": {good, func(b *fakeVerifier, _ *counters) { b.decision.Refusal = errOver; b.record.Principal.Scopes = nil }, 429, limits.CodeRate, 1, 0, true, ""},
	} {
		b, counted := &fakeVerifier{record: live()}, &counters{}
		c.change(b, counted)
		r := from("192.0.2.1:1")
		r.Header.Set("Authorization", "Bearer "+c.bearer)
		var passed *identityv1.Principal
		w := behind(t, r, newGate(t, b, counted).UserToken("cv:read", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			passed = principal.FromContext(r.Context())
		})))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.code) || (passed != nil) != (c.status == 200) {
			t.Errorf("%s: %d %s, passed %t", name, w.Code, w.Body, passed != nil)
		}
		if b.asked != c.asked || len(counted.charged) != c.charged || c.charged == 1 && counted.charged[0] != madeUp {
			t.Errorf("%s: the verifier was called %d times, charged %q", name, b.asked, counted.charged)
		}
		h := w.Header()
		if (h.Get("RateLimit-Policy") != "") != c.budget || h.Get("Cache-Control") != "no-store" || h.Get("Vary") != "Authorization" {
			t.Errorf("%s: headers %v", name, h)
		}
		if !strings.Contains(h.Get("WWW-Authenticate"), c.challenge) || c.status == 200 && h.Get("WWW-Authenticate") != "" {
			t.Errorf("%s: challenge %q", name, h.Get("WWW-Authenticate"))
		}
		if passed != nil && (passed.GetCvLinkUrl() == "" || passed.GetPhotoUrl() == "" || b.record.GetPrincipal().GetCvLinkUrl() != "") {
			t.Errorf("%s: the handler got the principal %v, the record has %v", name, passed, b.record.GetPrincipal())
		}
	}
}

func TestPrincipalHasOnlySharedURLs(t *testing.T) {
	g := newGate(t, &fakeVerifier{}, &counters{})
	for name, c := range map[string]struct {
		p           *identityv1.Principal
		link, photo bool
	}{
		"everything":                   {live().GetPrincipal(), true, true},
		"no link":                      {&identityv1.Principal{ConnectionId: "con_1", SharePhoto: true}, false, true},
		"no photo":                     {&identityv1.Principal{ConnectionId: "con_1", CvLinkId: "lnk_1"}, true, false},
		"a photo without a connection": {&identityv1.Principal{SharePhoto: true}, false, false},
		"an API key":                   {&identityv1.Principal{AppId: "app_1"}, false, false},
	} {
		signed := g.sign(c.p)
		if (signed.GetCvLinkUrl() != "") != c.link || (signed.GetPhotoUrl() != "") != c.photo {
			t.Errorf("%s: %q, %q", name, signed.GetCvLinkUrl(), signed.GetPhotoUrl())
		}
		if c.p.GetCvLinkUrl() != "" || c.p.GetPhotoUrl() != "" {
			t.Errorf("%s: sign changed the record's principal", name)
		}
		if g.sign(c.p) != signed {
			t.Errorf("%s: the principal was signed again instead of taken from the cache", name)
		}
		if again := g.sign(proto.CloneOf(c.p)); !proto.Equal(again, signed) {
			t.Errorf("%s: %v and %v", name, again, signed)
		}
	}
}

func TestDeadLinksAreNotFoundButCharged(t *testing.T) {
	for name, c := range map[string]struct {
		token  string
		change func(*fakeVerifier, *counters)
		status int
		code   string
		asked  int
	}{
		"live":   {"", func(*fakeVerifier, *counters) {}, 200, "", 1},
		"forged": {"x", func(*fakeVerifier, *counters) {}, 404, answer.CodeCVLinkNotFound, 0},
		"dead": {"", func(b *fakeVerifier, _ *counters) {
			b.err = errs.New(errs.Unauthenticated, credentials.CodeUnknown, "x")
		}, 404, answer.CodeCVLinkNotFound, 1},
		"without a CV": {"", func(b *fakeVerifier, _ *counters) { b.record.Principal.Scopes = nil }, 404, answer.CodeCVLinkNotFound, 1},
		"disconnected": {"", func(b *fakeVerifier, _ *counters) {
			b.err = errs.New(errs.NotFound, answer.CodeConnectionNotFound, "x")
		}, 404, answer.CodeCVLinkNotFound, 1},
		"auth is down": {"", func(b *fakeVerifier, _ *counters) { b.err = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "x") }, 503, "SERVICE_UNAVAILABLE", 1},
		"suspended":    {"", func(b *fakeVerifier, _ *counters) { b.record.AccountSuspended = true }, 403, answer.CodeAccountSuspended, 1},
		"too often":    {"", func(_ *fakeVerifier, c *counters) { c.over = []string{"links"} }, 429, limits.CodeRate, 0},
	} {
		b, counted := &fakeVerifier{record: live()}, &counters{}
		c.change(b, counted)
		gate := newGate(t, b, counted)
		g, err := NewLinkGate(gate, Surface{Name: "links", Limiter: counted})
		if err != nil {
			t.Fatal(err)
		}
		r := from("192.0.2.1:1")
		if r.SetPathValue("token", c.token); c.token == "" {
			r.SetPathValue("token", strings.TrimPrefix(gate.Addresses.CVLink("lnk_1"), "https://api.example"+signedurl.CVLinkPath))
		}
		passed := false
		w := behind(t, r, g.CVLink("cv:read", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			passed = principal.FromContext(r.Context()).GetCvLinkUrl() != ""
		})))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.code) || passed != (c.status == 200) || b.asked != c.asked {
			t.Errorf("%s: %d %s, passed %t, the verifier was called %d times", name, w.Code, w.Body, passed, b.asked)
		}
		if len(counted.charged) != 1 || counted.charged[0] != "links address 192.0.2.1" {
			t.Errorf("%s: charged %q", name, counted.charged)
		}
	}
	plain := errors.New("a bug")
	if got := LinkNotFound(plain); !errors.Is(got, plain) {
		t.Errorf("an unknown error becomes %v", got)
	}
	for _, code := range []string{answer.CodeOAuthToken, answer.CodeOAuthScope, answer.CodeConnectionNotFound, answer.CodeCVNotFound} {
		if got := LinkNotFound(errs.New(errs.Denied, code, "x")); !errs.HasCode(got, answer.CodeCVLinkNotFound) {
			t.Errorf("%s becomes %v", code, got)
		}
	}
}
