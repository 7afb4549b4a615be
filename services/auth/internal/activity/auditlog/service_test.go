package auditlog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/auditlog"
)

// shelf is a fake store whose missing partitions the test chooses.
type shelf struct {
	table
	// missing are times without a partition; tooOld are times that cannot get one.
	missing, tooOld []time.Time
	asked           []time.Time
	makeErr         error
	// kept records the calls by the partition job, and made is the result of the first call.
	kept []string
	made error
	// queries records the log queries, and page is their result.
	queries []auditlog.Query
	page    []audit.Event
	// names is the result of NamesOf.
	names   []auditlog.Name
	listErr error
}

func (s *shelf) AddEvents(ctx context.Context, events []audit.Event) error {
	for _, e := range events {
		if slices.Contains(s.missing, e.At) {
			return auditlog.ErrNoPartition
		}
	}
	return s.table.AddEvents(ctx, events)
}

func (s *shelf) MakeAuditPartition(_ context.Context, at time.Time) (bool, error) {
	s.asked = append(s.asked, at)
	if slices.Contains(s.tooOld, at) {
		return false, s.makeErr
	}
	s.missing = slices.DeleteFunc(s.missing, func(m time.Time) bool { return m.Equal(at) })
	return true, s.makeErr
}

func (s *shelf) MakeNextAuditPartitions(context.Context) error {
	s.kept = append(s.kept, "make")
	return s.made
}

func (s *shelf) DropAuditPartitions(context.Context) error {
	s.kept = append(s.kept, "drop")
	return nil
}

func (s *shelf) Events(_ context.Context, q auditlog.Query) ([]audit.Event, error) {
	s.queries = append(s.queries, q)
	return s.page[:min(len(s.page), q.AtMost)], s.listErr
}

func (s *shelf) NamesOf(context.Context, []string, string) ([]auditlog.Name, error) {
	return s.names, nil
}

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// newService returns a Service with a shelf and the buffer that receives its log.
func newService(t *testing.T) (*auditlog.Service, *shelf, *bytes.Buffer) {
	t.Helper()
	kept, said := &shelf{}, &bytes.Buffer{}
	s, err := auditlog.NewService(auditlog.Config{
		Store: kept, Partitions: kept, Clock: clock.NewFake(start), Log: slog.New(slog.NewTextHandler(said, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, kept, said
}

// read returns a read event recorded by the candidate service.
func read(at time.Time) audit.Event {
	return audit.Event{ID: id.New("evt"), At: at, Action: audit.ProfileRead, Outcome: audit.Done, Caller: "internal/search"}
}

func TestServiceRecordsOnlyItsOwnObjects(t *testing.T) {
	with := func(action audit.Action) audit.Event { e := read(start); e.Action = action; return e }
	nameless := read(start)
	nameless.ID = "evt_x"
	for name, c := range map[string]struct {
		part   string
		events []audit.Event
		faults []string
	}{
		"its own":             {"candidate", []audit.Event{with(audit.ProfileRead), with(audit.ResumeUpload), with(audit.MethodCall)}, nil},
		"its own jobs":        {"partnercatalog", []audit.Event{with(audit.CompanyCreate), with(audit.JobClose)}, nil},
		"a sign-in":           {"candidate", []audit.Event{with(audit.ProfileRead), with(audit.SignIn)}, []string{"events[1].action"}},
		"a job":               {"candidate", []audit.Event{with(audit.JobClose)}, []string{"events[0].action"}},
		"no action there is":  {"candidate", []audit.Event{with("profile.sell")}, []string{"events[0].action"}},
		"no part":             {"auth", []audit.Event{with(audit.SignIn)}, []string{"events[0].action"}},
		"no id":               {"candidate", []audit.Event{nameless}, []string{"events[0].id"}},
		"two of three faulty": {"candidate", []audit.Event{nameless, with(audit.CVRead), with(audit.JobRead)}, []string{"events[0].id", "events[2].action"}},
	} {
		s, kept, _ := newService(t)
		err := s.RecordEvents(t.Context(), c.part, c.events)
		var fields []string
		if e, ok := errs.As(err); ok {
			for _, v := range e.Violations {
				fields = append(fields, v.Field)
			}
		}
		if !slices.Equal(fields, c.faults) || (err != nil) != (c.faults != nil) {
			t.Errorf("%s: %v", name, err)
		}
		if want := len(c.events); err == nil && len(kept.events) != want || err != nil && len(kept.events) != 0 {
			t.Errorf("%s: %d events of %d", name, len(kept.events), want)
		}
	}
}

func TestOtherServicesEventsAreSanitized(t *testing.T) {
	s, kept, _ := newService(t)
	e := read(start)
	e.Object.ID, e.Details = "correct horse", map[string]string{"password": "x", audit.Status: "active"}
	if err := s.RecordEvents(t.Context(), "candidate", []audit.Event{e}); err != nil {
		t.Fatal(err)
	}
	if got := kept.events[0]; got.ID != e.ID || got.Object.ID != "" || len(got.Details) != 1 || got.Details[audit.Status] != "active" {
		t.Errorf("%+v", got)
	}
}

// If a replica starts before the job has run, the partition for the current week may be missing. An event from an
// outbox may be too old for any partition.
func TestMissingRecentPartitionIsCreated(t *testing.T) {
	s, kept, said := newService(t)
	old, now := read(start.AddDate(-2, 0, 0)), read(start)
	kept.missing, kept.tooOld = []time.Time{old.At, now.At}, []time.Time{old.At}
	if err := s.RecordEvents(t.Context(), "candidate", []audit.Event{old, now}); err != nil {
		t.Fatal(err)
	}
	if len(kept.events) != 1 || kept.events[0].ID != now.ID {
		t.Errorf("kept %+v", kept.events)
	}
	if !strings.Contains(said.String(), old.ID) || strings.Contains(said.String(), now.ID) {
		t.Errorf("the log does not name the dropped event: %s", said)
	}
	kept.makeErr = errors.New("the database is down")
	kept.missing = []time.Time{now.At}
	if err := s.Record(t.Context(), now); !errors.Is(err, kept.makeErr) {
		t.Errorf("without a partition: %v", err)
	}
	kept.makeErr, kept.fails, kept.asked, kept.missing = nil, errors.New("the database is down"), nil, nil
	if err := s.Record(t.Context(), now); !errors.Is(err, kept.fails) || len(kept.asked) != 0 {
		t.Errorf("after a failure: error %v, requested partitions %v", err, kept.asked)
	}
}

func TestJobCreatesBeforeDroppingPartitions(t *testing.T) {
	s, kept, _ := newService(t)
	job := s.Job()
	if err := job.Round(t.Context()); err != nil || !slices.Equal(kept.kept, []string{"make", "drop"}) {
		t.Errorf("%v, %v", kept.kept, err)
	}
	if job.Every != time.Hour {
		t.Errorf("every %v", job.Every)
	}
	kept.kept, kept.made = nil, errors.New("the database is down")
	if err := job.Round(t.Context()); !errors.Is(err, kept.made) || !slices.Equal(kept.kept, []string{"make"}) {
		t.Errorf("a failure: %v, %v", kept.kept, err)
	}
	if every := s.FloodJob().Every; every != 20*time.Second {
		t.Errorf("counts are added every %v", every)
	}
}

func TestPageTokenContinuesTheList(t *testing.T) {
	s, kept, _ := newService(t)
	for i := range 1500 {
		kept.page = append(kept.page, read(start.Add(-time.Duration(i)*time.Microsecond)))
	}
	for _, c := range []struct{ asked, got int }{{0, 100}, {7, 7}, {1000, 1000}, {5000, 1000}} {
		page, next, err := s.Events(t.Context(), auditlog.Search{PageSize: c.asked})
		if err != nil || len(page) != c.got || next == "" {
			t.Fatalf("page size %d: %d events, the token %q, %v", c.asked, len(page), next, err)
		}
		if _, _, err := s.Events(t.Context(), auditlog.Search{PageSize: c.asked, PageToken: next}); err != nil {
			t.Fatal(err)
		}
		last := page[len(page)-1]
		if got := kept.queries[len(kept.queries)-1].After; !got.At.Equal(last.At) || got.ID != last.ID {
			t.Errorf("page size %d: the next page follows %+v, the last event is %s of %v", c.asked, got, last.ID, last.At)
		}
	}
	kept.page = kept.page[:6]
	if page, next, err := s.Events(t.Context(), auditlog.Search{PageSize: 7}); err != nil || len(page) != 6 || next != "" {
		t.Errorf("the last page: %d events, the token %q, %v", len(page), next, err)
	}
	kept.listErr = errors.New("the database is down")
	if _, next, err := s.Events(t.Context(), auditlog.Search{PageSize: 6}); !errors.Is(err, kept.listErr) || next != "" {
		t.Errorf("a failure: the token %q, %v", next, err)
	}
}

func TestSearchIsPassedToTheStore(t *testing.T) {
	s, kept, _ := newService(t)
	end := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct{ to, want time.Time }{{time.Time{}, end}, {start, start}, {end.Add(time.Second), end}, {end, end}} {
		search := auditlog.Search{
			AccountID: "dev_1", AppID: "app_1", PersonID: "usr_1", Actions: []string{"session.sign_in"}, From: start.Add(-time.Hour), To: c.to,
		}
		if _, _, err := s.Events(t.Context(), search); err != nil {
			t.Fatal(err)
		}
		q := kept.queries[len(kept.queries)-1]
		if q.AccountID != "dev_1" || q.AppID != "app_1" || q.PersonID != "usr_1" || !slices.Equal(q.Actions, search.Actions) || !q.Since.Equal(search.From) ||
			!q.After.At.Equal(c.want) || q.After.ID != "" {
			t.Errorf("to %v: %+v", c.to, q)
		}
	}
}

func TestImpossibleSearchSkipsTheStore(t *testing.T) {
	for name, search := range map[string]auditlog.Search{
		"account": {AccountID: "a\x00b"}, "app": {AppID: "a\x00b"}, "person": {PersonID: "a\x00b"},
	} {
		s, kept, _ := newService(t)
		kept.page = []audit.Event{read(start)}
		if page, next, err := s.Events(t.Context(), search); err != nil || len(page) > 0 || next != "" || len(kept.queries) > 0 {
			t.Errorf("%s: %v, %q, %v, asked %v", name, page, next, err, kept.queries)
		}
	}
}

func TestInvalidActionOrTokenIsRejected(t *testing.T) {
	s, kept, _ := newService(t)
	kept.page = []audit.Event{read(start)}
	_, good, err := s.Events(t.Context(), auditlog.Search{PageSize: 1})
	if err != nil {
		t.Fatal(err)
	}
	field := func(search auditlog.Search) string {
		_, _, err := s.Events(t.Context(), search)
		if e, ok := errs.As(err); ok && len(e.Violations) == 1 {
			return e.Violations[0].Field
		}
		return fmt.Sprint(err)
	}
	if got := field(auditlog.Search{Actions: []string{"session.sign_in", "account.sell"}}); got != "actions[1]" {
		t.Errorf("an action: %s", got)
	}
	for name, token := range map[string]string{
		"no base64": "!", "another end": good + "=", "nothing after the time": good[:10], "another id": good[:14],
		"a time before 1970": "_" + good[1:], "a time after the year 9999": "H" + good[1:],
	} {
		if got := field(auditlog.Search{PageToken: token}); got != "page_token" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestMemberSearchIsRestricted(t *testing.T) {
	seen, hidden := []string{string(audit.ClientAuthenticate), string(audit.TokenIntrospect)}, string(audit.SignIn)
	for _, c := range []struct{ asked, want []string }{
		{seen[:1], seen[:1]}, {[]string{hidden, seen[1]}, seen[1:]}, {seen, seen}, {[]string{hidden}, nil},
	} {
		s, kept, _ := newService(t)
		if _, _, err := s.Events(t.Context(), auditlog.Search{AccountID: "dev_1", ByMember: true, Actions: c.asked}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, q := range kept.queries {
			got = append(got, q.Actions...)
		}
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(c.want)); !slices.Equal(got, want) {
			t.Errorf("%v: the store is asked for %v, want %v", c.asked, got, want)
		}
		if c.want == nil && len(kept.queries) > 0 { // an empty list of actions would match every action
			t.Errorf("%v: the store is asked for %+v", c.asked, kept.queries)
		}
	}
	s, kept, _ := newService(t)
	if _, _, err := s.Events(t.Context(), auditlog.Search{AccountID: "dev_1", ByMember: true}); err != nil {
		t.Fatal(err)
	}
	if all := kept.queries[0].Actions; !slices.Contains(all, seen[0]) || !slices.Contains(all, seen[1]) || slices.Contains(all, hidden) {
		t.Errorf("without actions the store is asked for %v", all)
	}
}
