package connection_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/oauth/scope"
)

const anotherCV = "cv_0000000000000000000000000g"

var (
	start  = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	shared = connection.Connection{
		ID: "con_1", PersonID: "usr_1", Granted: scope.Set{"profile", "cv:read"}, Scopes: scope.Set{"profile", "cv:read"},
		Sharing: true, CvID: "master", SharePhoto: true,
	}
)

// If session records contain a field of a consent, changing that field must make the consents different.
func TestSameConsentComparesRecordFields(t *testing.T) {
	t.Parallel()
	if !shared.SameConsent(shared) {
		t.Error("the consent differs from itself")
	}
	for name, change := range map[string]func(*connection.Connection){
		"another connection": func(c *connection.Connection) { c.ID = "con_2" },
		"fewer scopes":       func(c *connection.Connection) { c.Scopes = c.Scopes[:1] },
		"another CV":         func(c *connection.Connection) { c.CvID = anotherCV },
		"without the photo":  func(c *connection.Connection) { c.SharePhoto = false },
		"with an end":        func(c *connection.Connection) { c.EndsAt = &start },
	} {
		other := shared
		change(&other)
		if other.SameConsent(shared) || shared.SameConsent(other) {
			t.Errorf("%s: the consents are reported as the same", name)
		}
	}
}

func TestValidCvID(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"master": true, anotherCV: true, "": false, "cv_": false, "../x": false, "Master": false, "con" + anotherCV[2:]: false} {
		if got := connection.ValidCvID(s); got != want {
			t.Errorf("%q: %t", s, got)
		}
	}
}

// store is a fake with one connection. It returns an entry along with its results.
type store struct {
	connection.Connection
	entry       revocation.Entry
	err         error
	asked, ends int
}

func (s *store) Connections(context.Context, string, time.Time) ([]connection.Connection, error) {
	s.asked++
	return []connection.Connection{s.Connection}, nil
}

func (s *store) ChangeConnection(
	_ context.Context, _, _ string, now time.Time, change func(connection.Connection) (connection.Connection, error),
) (connection.Connection, revocation.Entry, error) {
	s.asked++
	if s.err != nil || !now.Equal(start) {
		return connection.Connection{}, revocation.Entry{}, s.err
	}
	changed, err := change(s.Connection)
	return changed, s.entry, err
}

func (s *store) EndOneConnection(ctx context.Context, person, id string, now time.Time) (revocation.Entry, error) {
	return s.EndConnection(ctx, person, id, now)
}

func (s *store) EndConnection(_ context.Context, _, _ string, now time.Time) (revocation.Entry, error) {
	s.ends++
	if !now.Equal(start) {
		return revocation.Entry{}, errors.New("the call has a different time")
	}
	return s.entry, s.err
}

func (s *store) Reads(context.Context, string, string, time.Time) ([]connection.Read, error) {
	s.asked++
	return []connection.Read{{Kind: "cv", Count: 1}}, s.err
}

// records is a fake Redis.
type records struct {
	fault     error
	forgotten int
}

func (r *records) Forget(context.Context, string, []credential.Digest) error {
	r.forgotten++
	return r.fault
}
func (r *records) ForgetAccount(context.Context, string) error { return r.fault }

type outbox struct{ revocation.Outbox }

func (outbox) DeleteRevocation(context.Context, int64) error { return nil }

func newService(t *testing.T, s *store, r *records) *connection.Service {
	t.Helper()
	c := clock.NewFake(start)
	p, err := revocation.NewPublisher(revocation.Config{
		Records: r, Outbox: outbox{}, WaitOut: time.Hour, Clock: c, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	service, err := connection.NewService(connection.Config{Store: s, Revocations: p, Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	return service
}

func to[T any](v T) *T { return &v }

func TestChangeRequiresGrantedCV(t *testing.T) {
	t.Parallel()
	cvless := shared
	cvless.Granted = scope.Set{"profile"}
	legacy := shared
	legacy.Legacy = true
	for name, c := range map[string]struct {
		of      connection.Connection
		change  connection.Change
		cv      string
		sharing bool
		code    string
	}{
		"nothing":                      {shared, connection.Change{}, "master", true, ""},
		"the CV":                       {shared, connection.Change{CvID: to(anotherCV)}, anotherCV, true, ""},
		"sharing off":                  {shared, connection.Change{Sharing: to(false)}, "master", false, ""},
		"both":                         {shared, connection.Change{CvID: to(anotherCV), Sharing: to(false)}, anotherCV, false, ""},
		"no CV's id":                   {shared, connection.Change{CvID: to("x")}, "", false, "INVALID_ARGUMENT"},
		"the CV, none granted":         {cvless, connection.Change{CvID: to(anotherCV)}, "", false, "CV_NOT_GRANTED"},
		"sharing on, none granted":     {cvless, connection.Change{Sharing: to(true)}, "", false, "CV_NOT_GRANTED"},
		"sharing off, none granted":    {cvless, connection.Change{Sharing: to(false)}, "master", false, ""},
		"sharing off, legacy":          {legacy, connection.Change{Sharing: to(false)}, "", false, "CV_NOT_GRANTED"},
		"the CV of a legacy consent":   {legacy, connection.Change{CvID: to(anotherCV)}, "", false, "CV_NOT_GRANTED"},
		"nothing, of a legacy consent": {legacy, connection.Change{}, "master", true, ""},
	} {
		r := &records{}
		s := newService(t, &store{Connection: c.of, entry: revocation.Entry{ID: 1, AccountID: "dev_1", Hashes: []credential.Digest{{1}}}}, r)
		got, err := s.Update(t.Context(), "usr_1", "con_1", c.change)
		if c.code != "" {
			if !errs.HasCode(err, c.code) || r.forgotten != 0 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || got.CvID != c.cv || got.Sharing != c.sharing || r.forgotten != 1 {
			t.Errorf("%s: %+v, %v; records were deleted %d times", name, got, err, r.forgotten)
		}
	}
}

func TestUnstorableIDsDoNotReachTheStore(t *testing.T) {
	t.Parallel()
	s := &store{Connection: shared}
	service := newService(t, s, &records{})
	const unstorable = "usr\x00"
	if all, err := service.List(t.Context(), unstorable); err != nil || all != nil {
		t.Errorf("list: %v, %v", all, err)
	}
	for _, ids := range [][2]string{{unstorable, "con_1"}, {"usr_1", unstorable}} {
		if _, err := service.Update(t.Context(), ids[0], ids[1], connection.Change{}); !errors.Is(err, connection.ErrNotFound) {
			t.Errorf("update: %v", err)
		}
		if reads, err := service.Reads(t.Context(), ids[0], ids[1]); err != nil || reads != nil {
			t.Errorf("reads: %v, %v", reads, err)
		}
		if err := service.Disconnect(t.Context(), ids[0], ids[1], false); !errors.Is(err, connection.ErrNotFound) {
			t.Errorf("disconnect: %v", err)
		}
	}
	if s.asked+s.ends != 0 {
		t.Error("the store was called")
	}
	if all, err := service.List(t.Context(), "usr_1"); err != nil || len(all) != 1 {
		t.Errorf("list: %v, %v", all, err)
	}
}

// The records of a connection may still exist even if the connection was ended by an earlier call.
func TestDisconnectWaitsForTheRecords(t *testing.T) {
	t.Parallel()
	pending := revocation.Entry{ID: 1, AccountID: "dev_1", Hashes: []credential.Digest{{1}}}
	down := errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down")
	for name, c := range map[string]struct {
		stored    error
		redis     error
		want      error
		forgotten bool
	}{
		"ended":                        {nil, nil, nil, true},
		"ended, Redis down":            {nil, down, down, true},
		"ended before":                 {connection.ErrNotFound, nil, connection.ErrNotFound, true},
		"ended before, and Redis down": {connection.ErrNotFound, down, down, true},
		"the store is down":            {down, nil, down, false},
	} {
		r := &records{fault: c.redis}
		service := newService(t, &store{entry: pending, err: c.stored}, r)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		err := service.Disconnect(ctx, "usr_1", "con_1", false)
		cancel()
		want, _ := errs.As(c.want)
		if c.want == nil && err != nil || c.want != nil && !errs.HasCode(err, want.Code) || (r.forgotten > 0) != c.forgotten {
			t.Errorf("%s: %v; records were deleted %d times", name, err, r.forgotten)
		}
	}
	service := newService(t, &store{err: down}, &records{})
	if _, err := service.Update(t.Context(), "usr_1", "con_1", connection.Change{}); !errors.Is(err, down) {
		t.Errorf("update: %v", err)
	}
}
