package relay_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/audit/relay"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type outbox struct{ pending, aside []string }

func (o *outbox) Take(ctx context.Context, atMost int, pass relay.Pass) (int, error) {
	var events []audit.Event
	for _, e := range o.pending[:min(atMost, len(o.pending))] {
		events = append(events, audit.Event{ID: e, Action: audit.ProfileRead})
	}
	if len(events) == 0 {
		return 0, nil
	}
	passed, err := pass(ctx, events)
	o.aside = append(o.aside, passed.Refused...)
	o.pending = slices.DeleteFunc(o.pending, func(e string) bool {
		return slices.Contains(passed.Confirmed, e) || slices.Contains(passed.Refused, e)
	})
	return len(events), err
}

// fakeAuth is a fake auth service that rejects batches that contain the bad event, and is down from
// call number downFrom onwards.
type fakeAuth struct {
	authv1.AuditServiceClient
	bad      string
	downFrom int
	calls    int
	stored   []string
}

func (l *fakeAuth) RecordEvents(_ context.Context, req *authv1.RecordEventsRequest, _ ...grpc.CallOption) (*authv1.RecordEventsResponse, error) {
	l.calls++
	if l.downFrom > 0 && l.calls >= l.downFrom {
		return nil, errs.New(errs.Unavailable, errs.CodeUnavailable, "down")
	}
	var ids []string
	for _, e := range req.GetEvents() {
		if e.GetId() == l.bad {
			return nil, errs.New(errs.Invalid, "INVALID_ARGUMENT", "no")
		}
		ids = append(ids, e.GetId())
	}
	l.stored = append(l.stored, ids...)
	return &authv1.RecordEventsResponse{}, nil
}

func events(n int) (ids []string) {
	for range n {
		ids = append(ids, id.New("evt"))
	}
	return ids
}

func round(t *testing.T, o *outbox, l *fakeAuth) (string, error) {
	t.Helper()
	var lines bytes.Buffer
	job, err := relay.NewJob(relay.Config{Outbox: o, Auth: l, Log: slog.New(slog.NewTextHandler(&lines, nil))})
	if err != nil {
		t.Fatal(err)
	}
	err = job.Round(t.Context())
	return lines.String(), err
}

func TestRefusedEventDoesNotBlockOthers(t *testing.T) {
	all := events(401)
	o, l := &outbox{pending: slices.Clone(all)}, &fakeAuth{bad: all[250]}
	lines, err := round(t, o, l)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Concat(all[:250], all[251:])
	if !slices.Equal(l.stored, want) || len(o.pending) != 0 || !slices.Equal(o.aside, []string{all[250]}) {
		t.Errorf("%d stored, %d pending, %v set aside", len(l.stored), len(o.pending), o.aside)
	}
	if strings.Count(lines, "level=ERROR") != 1 || !strings.Contains(lines, all[250]) {
		t.Errorf("logged %s", lines)
	}
}

func TestEventsWaitWhileAuthIsDown(t *testing.T) {
	for name, c := range map[string]struct {
		bad      int
		downFrom int
		left     int
	}{
		"from the start":             {-1, 1, 300},
		"between two batches":        {-1, 2, 100},
		"while events go one by one": {1, 3, 299},
	} {
		all := events(300)
		o, l := &outbox{pending: slices.Clone(all)}, &fakeAuth{downFrom: c.downFrom}
		if c.bad >= 0 {
			l.bad = all[c.bad]
		}
		if _, err := round(t, o, l); errs.KindOf(err) != errs.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
		if len(o.pending) != c.left || len(o.aside) != 0 || !slices.Equal(o.pending, all[300-c.left:]) {
			t.Errorf("%s: %d pending, %v set aside", name, len(o.pending), o.aside)
		}
	}
}
