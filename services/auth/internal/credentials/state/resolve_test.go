package state

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
)

var at = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// story is a fake Store and Records with one credential and scripted results.
type story struct {
	Store
	state                    State
	routeErr, readErr        error
	expired                  bool
	expiredErr, linkErr      error
	link                     string
	beginErr, completeErr    error
	begun, completed, linked int
	shown                    int
}

func (s *story) Route(context.Context, Kind, credential.Digest) (string, error) {
	return "dev_1", s.routeErr
}
func (s *story) Read(context.Context, Kind, credential.Digest, time.Time) (State, error) {
	state := s.state
	if state.Connection != nil {
		c := *state.Connection
		state.Connection = &c
	}
	return state, s.readErr
}
func (s *story) LegacyTokenExpired(context.Context, credential.Digest, time.Time) (bool, error) {
	return s.expired, s.expiredErr
}
func (s *story) MakeLink(context.Context, string, credential.Digest, string, time.Time) (string, error) {
	s.linked++
	return s.link, s.linkErr
}
func (s *story) PhotoAddress(_ context.Context, connectionID string, version int32, _ time.Time) (Photo, error) {
	s.shown++
	return Photo{AccountID: connectionID, PersonID: strconv.Itoa(int(version))}, nil
}
func (s *story) BeginFill(context.Context, string, credential.Digest) (Lease, error) {
	s.begun++
	return s, s.beginErr
}
func (s *story) Complete(context.Context, Record, time.Time) (bool, error) {
	s.completed++
	return true, s.completeErr
}

func (s *story) service(t *testing.T) (*Service, *clock.Fake) {
	t.Helper()
	c := clock.NewFake(at)
	service, err := NewService(Config{
		Store: s, Records: s, Plans: account.Plans{Standard: account.Plan{Name: account.Standard, PerMinute: 300}},
		Clock: c, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return service, c
}

// shared returns the state of a token with all scopes, a shared CV and a durable link.
func shared() State {
	all := scope.Set{"profile", "email", "cv:read", "cv:contact"}
	return State{
		Account: account.Account{ID: "dev_1", Plan: account.Plan{Name: account.Standard}}, AppID: "app_1", Scopes: all,
		Connection: &Connection{ID: "con_1", PersonID: "usr_1", Scopes: all, CvID: "master", SharePhoto: true, LinkID: "lnk_1"},
	}
}

func TestRecordHasScopesOfTokenAndConsent(t *testing.T) {
	t.Parallel()
	profile, cvRead := scope.Set{"profile"}, scope.Set{"profile", "cv:read"}
	for name, c := range map[string]struct {
		kind       Kind
		change     func(*State)
		scopes     scope.Set
		connection scope.Set
		cv, link   string
	}{
		"everything":           {AccessToken, func(*State) {}, shared().Scopes, shared().Scopes, "master", "lnk_1"},
		"a narrow token":       {AccessToken, func(s *State) { s.Scopes = profile }, profile, shared().Scopes, "master", ""},
		"a narrow consent":     {AccessToken, func(s *State) { s.Connection.Scopes = profile }, profile, profile, "", ""},
		"sharing is off":       {AccessToken, func(s *State) { s.Connection.Scopes = scope.Set{"profile", "email"} }, scope.Set{"profile", "email"}, scope.Set{"profile", "email"}, "", ""},
		"a link":               {CVLink, func(s *State) { s.Scopes, s.Connection.Scopes = nil, cvRead }, cvRead, cvRead, "master", "lnk_1"},
		"a link of the legacy": {CVLink, func(s *State) { s.Scopes, s.Legacy, s.Connection.CvID = nil, true, "" }, scope.OfLegacyLink(), scope.OfLegacyLink(), "master", "lnk_1"},
		"a legacy token":       {LegacyToken, func(s *State) { s.Scopes, s.Connection.Scopes = scope.Set{"profile:read"}, scope.Set{"profile:read"} }, scope.Set{"profile:read"}, scope.Set{"profile:read"}, "", "lnk_1"},
	} {
		s := shared()
		c.change(&s)
		r, err := s.record(c.kind, account.Plans{Standard: account.Plan{PerMinute: 300}})
		if err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(r.Scopes, c.scopes) || !slices.Equal(r.Connection.Scopes, c.connection) || r.Connection.CvID != c.cv || r.Connection.LinkID != c.link {
			t.Errorf("%s: %v, connection %+v", name, r.Scopes, *r.Connection)
		}
		if r.Kind != c.kind || r.AccountID != "dev_1" || r.AppID != "app_1" || r.AccountSuspended || r.Plan.PerMinute != 300 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	suspended, key := shared(), shared()
	suspended.Account.SuspendedAt = &at
	if r, err := suspended.record(AccessToken, account.Plans{}); err != nil || !r.AccountSuspended {
		t.Errorf("suspended account: %+v, %v", r, err)
	}
	key.Connection, key.APIKeyID, key.Scopes = nil, "key_1", scope.Set{"jobs:read"}
	if r, err := key.record(APIKey, account.Plans{}); err != nil || r.APIKeyID != "key_1" || !slices.Equal(r.Scopes, key.Scopes) {
		t.Errorf("API key: %+v, %v", r, err)
	}
	for kind, want := range map[Kind]error{AccessToken: ErrConnectionGone, CVLink: ErrConnectionGone, LegacyToken: ErrUnknown} {
		if _, err := key.record(kind, account.Plans{}); !errors.Is(err, want) {
			t.Errorf("%s without a connection: %v", kind, err)
		}
	}
}

func TestReasonDependsOnTheKind(t *testing.T) {
	t.Parallel()
	down := errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down")
	for name, c := range map[string]struct {
		kind  Kind
		story story
		want  error
		begun int
	}{
		"no such kind":            {"password", story{}, ErrUnknown, 0},
		"never issued":            {AccessToken, story{routeErr: ErrUnknown}, ErrNotIssued, 0},
		"no route":                {AccessToken, story{routeErr: down}, down, 0},
		"a revoked token":         {AccessToken, story{readErr: ErrUnknown, expired: true}, ErrUnknown, 1},
		"an ended link":           {CVLink, story{readErr: ErrUnknown, expired: true}, ErrUnknown, 1},
		"an expired legacy token": {LegacyToken, story{readErr: ErrUnknown, expired: true}, ErrExpired, 1},
		"a revoked legacy token":  {LegacyToken, story{readErr: ErrUnknown}, ErrUnknown, 1},
		"expiry cannot be read":   {LegacyToken, story{readErr: ErrUnknown, expiredErr: down}, down, 1},
		"Postgres is down":        {LegacyToken, story{readErr: down, expired: true}, down, 1},
	} {
		s := c.story
		s.state = shared()
		service, _ := s.service(t)
		if r, err := service.Resolve(t.Context(), c.kind, credential.Digest{}); !errors.Is(err, c.want) || s.begun != c.begun || s.completed != 0 {
			t.Errorf("%s: %+v, %v; %d leases", name, r, err, s.begun)
		}
	}
	for _, kind := range []Kind{AccessToken, APIKey, CVLink, LegacyToken} {
		s := story{state: shared()}
		service, _ := s.service(t)
		if r, err := service.Resolve(t.Context(), kind, credential.Digest{}); err != nil || r.Kind != kind || s.completed != 1 {
			t.Errorf("%s: %+v, %v", kind, r, err)
		}
	}
}

func TestTokenWithEndedLinkGetsNewLink(t *testing.T) {
	t.Parallel()
	down := errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down")
	for name, c := range map[string]struct {
		kind   Kind
		change func(*story)
		want   error
		link   string
		linked int
	}{
		"none":               {AccessToken, func(s *story) { s.link = "lnk_2" }, nil, "lnk_2", 1},
		"one":                {AccessToken, func(s *story) { s.state.Connection.LinkID = "lnk_1" }, nil, "lnk_1", 0},
		"no CV is shared":    {AccessToken, func(s *story) { s.state.Scopes = scope.Set{"profile"} }, nil, "", 0},
		"a key":              {APIKey, func(s *story) { s.state.Connection = nil }, nil, "", 0},
		"the store fails":    {AccessToken, func(s *story) { s.linkErr = down }, down, "", 1},
		"it changes forever": {AccessToken, func(*story) {}, errChanging, "", 4},
		"no consent":         {AccessToken, func(s *story) { s.state.Connection = nil }, ErrConnectionGone, "", 0},
		"no legacy consent":  {LegacyToken, func(s *story) { s.state.Connection = nil }, ErrUnknown, "", 0},
	} {
		s := story{state: shared()}
		s.state.Connection.LinkID = ""
		c.change(&s)
		service, _ := s.service(t)
		r, err := service.Resolve(t.Context(), c.kind, credential.Digest{})
		if !errors.Is(err, c.want) || s.linked != c.linked {
			t.Errorf("%s: %v; %d links were requested", name, err, s.linked)
		}
		if written := s.completed > 0; written != (c.want == nil) {
			t.Errorf("%s: a record was written: %t", name, written)
		}
		if c.want == nil && r.Connection != nil && r.Connection.LinkID != c.link {
			t.Errorf("%s: link %q", name, r.Connection.LinkID)
		}
	}
}

func TestFailingRedisIsSkippedForAWhile(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	for name, change := range map[string]func(*story){"begin": func(s *story) { s.beginErr = down }, "complete": func(s *story) { s.completeErr = down }} {
		s := story{state: shared()}
		change(&s)
		service, c := s.service(t)
		resolve := func(begun int) {
			t.Helper()
			if r, err := service.Resolve(t.Context(), AccessToken, credential.Digest{}); err != nil || r.Connection == nil || s.begun != begun {
				t.Errorf("%s: %+v, %v; %d leases, want %d", name, r, err, s.begun, begun)
			}
		}
		resolve(1)
		c.Advance(time.Second - time.Microsecond) // redisx.Rest
		resolve(1)
		c.Advance(time.Microsecond)
		resolve(2)
	}
	s := story{state: shared(), beginErr: down}
	service, _ := s.service(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 { // a canceled caller doesn't mean that Redis is down
		_, _ = service.Resolve(ctx, AccessToken, credential.Digest{})
	}
	if s.begun != 2 {
		t.Errorf("%d leases were requested", s.begun)
	}
}

func TestRecoveredRedisIsUsedAgain(t *testing.T) {
	t.Parallel()
	s := story{state: shared(), beginErr: errors.New("down")}
	service, c := s.service(t)
	resolve := func() {
		t.Helper()
		if _, err := service.Resolve(t.Context(), AccessToken, credential.Digest{}); err != nil {
			t.Fatal(err)
		}
	}
	resolve()
	s.beginErr = nil
	c.Advance(time.Second)
	for range 3 {
		resolve()
	}
	if s.completed != 3 {
		t.Errorf("%d of three calls wrote a record", s.completed)
	}
}

func TestChangingConsentIsUnavailable(t *testing.T) {
	t.Parallel()
	s := story{state: shared()}
	s.state.Connection.LinkID = ""
	service, _ := s.service(t)
	_, err := service.Resolve(t.Context(), AccessToken, credential.Digest{})
	if e, ok := errs.As(err); !ok || e.Kind != errs.Unavailable || e.RetryAfter != time.Second {
		t.Errorf("%v", err)
	}
}

// Postgres rejects a NUL byte in a string. Without a check, this would become an internal error.
func TestUnstorablePhotoAddressIsNotFound(t *testing.T) {
	t.Parallel()
	s := story{}
	service, _ := s.service(t)
	if p, err := service.PhotoAddress(t.Context(), "con_1", 3); err != nil || p != (Photo{AccountID: "con_1", PersonID: "3"}) {
		t.Errorf("with a valid id: %+v, %v", p, err)
	}
	for _, id := range []string{"con_\x00", "con_\xff"} {
		if p, err := service.PhotoAddress(t.Context(), id, 3); !errors.Is(err, ErrNoPhoto) || p != (Photo{}) {
			t.Errorf("%q: %+v, %v", id, p, err)
		}
	}
	if s.shown != 1 {
		t.Errorf("the store was called %d times", s.shown)
	}
}
