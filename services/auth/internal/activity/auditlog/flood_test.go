package auditlog_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/auditlog"
)

// table is an in-memory Store that can be made to fail.
type table struct {
	mu     sync.Mutex
	events []audit.Event
	fails  error
	// left is the number of transactions that still succeed, or nil if all do.
	left *int
	// asked counts the transactions.
	asked int
}

// maxTransactions is higher than the number of transactions in any test. A service that adds the same counts forever
// therefore fails the test instead of exhausting the memory.
const maxTransactions = 2000

func (t *table) failsAfter(n int) { t.left = &n }

func (t *table) AddEvents(_ context.Context, events []audit.Event) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked++; t.asked > maxTransactions {
		return errors.New("more transactions than events")
	}
	if t.left != nil {
		if *t.left--; *t.left < 0 {
			return errors.New("the database is down")
		}
	}
	if t.fails == nil {
		t.events = append(t.events, events...)
	}
	return t.fails
}

func (*table) Events(context.Context, auditlog.Query) ([]audit.Event, error) { return nil, nil }
func (*table) MakeAuditPartition(context.Context, time.Time) (bool, error)   { return true, nil }
func (*table) MakeNextAuditPartitions(context.Context) error                 { return nil }
func (*table) DropAuditPartitions(context.Context) error                     { return nil }

// counted returns how many refusals have their own event and how many were only counted.
func (t *table) counted() (own, more int) {
	for _, e := range t.events {
		if n, err := strconv.Atoi(e.Details[audit.Repeated]); err == nil {
			more += n
		} else {
			own++
		}
	}
	return own, more
}

func newLog(t *testing.T) (*auditlog.Service, *table, *clock.Fake) {
	t.Helper()
	kept, clk := &table{}, clock.NewFake(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	s, err := auditlog.NewService(auditlog.Config{Store: kept, Partitions: kept, Clock: clk, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return s, kept, clk
}

func refusal(address string) audit.Event {
	return audit.Event{
		ID: id.New("evt"), Action: audit.SignIn, Outcome: audit.Refused, Code: "SIGN_IN_FAILED", Caller: audit.Gateway, ClientAddress: address,
		Actor: audit.Actor{Kind: audit.Anonymous},
	}
}

func record(t *testing.T, s *auditlog.Service, e audit.Event) {
	t.Helper()
	if err := s.Record(t.Context(), e); err != nil {
		t.Fatal(err)
	}
}

func TestFloodIsCountedCompletely(t *testing.T) {
	s, kept, clk := newLog(t)
	for i := range 1000 {
		record(t, s, refusal(fmt.Sprintf("2001:db8::%x", i))) // one host, because all addresses are in the same /64
	}
	record(t, s, refusal("192.0.2.1"))
	if own, more := kept.counted(); own != 30+1 || more != 0 {
		t.Errorf("%d refusals have their own event, want 30 of the flood and 1 other; %d counted", own, more)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, more := kept.counted(); more != 0 {
		t.Error("the counts of the current window were added")
	}
	clk.Advance(time.Minute)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if own, more := kept.counted(); own != 31 || more != 970 {
		t.Errorf("got %d events and %d counted, want 31 and 970", own, more)
	}
	record(t, s, refusal("2001:db8::1"))
	if own, _ := kept.counted(); own != 32 {
		t.Error("the next minute starts with the counts of the previous one")
	}
}

func TestDistributedFloodIsLimited(t *testing.T) {
	s, kept, _ := newLog(t)
	const sent = 20_000
	for i := range sent {
		record(t, s, refusal(fmt.Sprintf("10.%d.%d.1", i/250, i%250)))
	}
	if err := s.Close(t.Context()); err != nil { // as on shutdown
		t.Fatal(err)
	}
	own, more := kept.counted()
	// 600 events are stored in full. Another 1,400 sources have a row of counts each, and one more row counts the
	// remaining refusals.
	if own != 600 || own+more != sent || len(kept.events) != 600+1400+1 {
		t.Errorf("%d events and %d counted, in %d rows", own, more, len(kept.events))
	}
}

func TestSourceStaysSeparateAmongManyOthers(t *testing.T) {
	s, kept, _ := newLog(t)
	some := func(n int) {
		for range n {
			record(t, s, refusal("192.0.2.1"))
		}
	}
	some(40)
	for i := range 3000 {
		record(t, s, refusal(fmt.Sprintf("10.%d.%d.1", i/250, i%250)))
	}
	some(10)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	counted := ""
	for _, e := range kept.events {
		if n := e.Details[audit.Repeated]; n != "" && e.ClientAddress == "192.0.2.1" {
			counted += n
		}
	}
	if counted != "20" {
		t.Errorf("the source's refusals are counted as %q, want the 20 without their own event", counted)
	}
}

func TestSuccessesAndInternalEventsAreStored(t *testing.T) {
	s, kept, _ := newLog(t)
	for range 1000 {
		e := refusal("192.0.2.1")
		e.Outcome, e.Code = audit.Done, ""
		record(t, s, e)
		e = refusal("192.0.2.1")
		e.Caller = "vitaectl"
		record(t, s, e)
	}
	if own, more := kept.counted(); own != 2000 || more != 0 {
		t.Errorf("%d events, %d counted", own, more)
	}
}

// Declined consents are counted although they are not refusals, because they cost the client nothing.
func TestDeclinedConsentsAreCounted(t *testing.T) {
	s, kept, clk := newLog(t)
	for range 100 {
		record(t, s, audit.Event{
			ID: id.New("evt"), Action: audit.ConsentDecline, Outcome: audit.Done, Caller: audit.Gateway, ClientAddress: "192.0.2.1", Actor: audit.ByPerson("usr_1"),
		})
	}
	clk.Advance(time.Minute)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if own, more := kept.counted(); own != 30 || more != 70 {
		t.Errorf("%d events and %d counted, want 30 and 70", own, more)
	}
	if last := kept.events[len(kept.events)-1]; last.Outcome != audit.Done || last.Actor != audit.ByPerson("usr_1") {
		t.Errorf("the count is %+v", last)
	}
}

func TestCountsSurviveADatabaseOutage(t *testing.T) {
	s, kept, clk := newLog(t)
	for range 40 {
		record(t, s, refusal("192.0.2.1"))
	}
	clk.Advance(time.Minute)
	kept.fails = errors.New("the database is down")
	if err := s.Flush(t.Context()); err == nil {
		t.Error("Flush did not report the failure")
	}
	kept.fails = nil
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if own, more := kept.counted(); own != 30 || more != 10 {
		t.Errorf("%d events and %d counted, want 30 and 10", own, more)
	}
}

// Refusals in another minute, for another reason, from another network or of another action are counted separately,
// so a flood hides none of them.
func TestFloodHidesNoOtherRefusals(t *testing.T) {
	for name, change := range map[string]func(*audit.Event){
		"another action":       func(e *audit.Event) { e.Action = audit.ClientAuthenticate },
		"another reason":       func(e *audit.Event) { e.Code = "TOO_MANY_ATTEMPTS" },
		"another address":      func(e *audit.Event) { e.ClientAddress = "192.0.2.2" },
		"another IPv6 network": func(e *audit.Event) { e.ClientAddress = "2001:db8:0:1::1" },
		"no address":           func(e *audit.Event) { e.ClientAddress = "" },
	} {
		s, kept, _ := newLog(t)
		for range 100 {
			record(t, s, refusal("192.0.2.1"))
			record(t, s, refusal("2001:db8::1"))
		}
		e := refusal("192.0.2.1")
		change(&e)
		record(t, s, e)
		if own, _ := kept.counted(); own != 2*30+1 {
			t.Errorf("%s: %d events, want 61", name, own)
		}
	}
}

// People see every password guess against their account, whatever else happens.
func TestPersonSeesEveryGuess(t *testing.T) {
	s, kept, _ := newLog(t)
	for range 100 {
		record(t, s, refusal("192.0.2.1"))
	}
	for i := range 3000 { // uses up all network sources
		record(t, s, refusal(fmt.Sprintf("10.%d.%d.1", i/250, i%250)))
	}
	guess := func(person string) {
		e := refusal("192.0.2.1")
		e.PersonID = person
		record(t, s, e)
	}
	for range 40 {
		guess("usr_1")
	}
	for i := range 800 { // exceeds the limit for separate events
		guess(fmt.Sprint("usr_other_", i))
	}
	guess("usr_2")
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	trail := map[string]int{}
	for _, e := range kept.events {
		n, err := strconv.Atoi(e.Details[audit.Repeated])
		if err != nil {
			n = 1
		}
		trail[e.PersonID] += n
	}
	if trail["usr_1"] != 40 || trail["usr_2"] != 1 || trail["usr_other_799"] != 1 {
		t.Errorf("usr_1 sees %d guesses, usr_2 sees %d, the last other person sees %d; want 40, 1, 1", trail["usr_1"], trail["usr_2"], trail["usr_other_799"])
	}
}

// The same host can be written in several ways, such as IPv4-mapped in IPv6, or with a zone.
func TestHostNotationsAreOneSource(t *testing.T) {
	for _, same := range [][2]string{{"192.0.2.1", "::ffff:192.0.2.1"}, {"fe80::1%eth0", "fe80::2%eth1"}, {"2001:db8::1", "2001:db8::ffff:1"}} {
		s, kept, _ := newLog(t)
		for range 100 {
			record(t, s, refusal(same[0]))
			record(t, s, refusal(same[1]))
		}
		if own, _ := kept.counted(); own != 30 {
			t.Errorf("%v: %d events, want 30", same, own)
		}
	}
}

// A count has the action, the time and the number of refusals. It names the person if all its refusals concern the
// same one.
func TestCountHasTheSharedFields(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*audit.Event)
		want   func(*audit.Event)
	}{
		"all the same":    {func(*audit.Event) {}, func(*audit.Event) {}},
		"another address": {func(e *audit.Event) { e.ClientAddress = "2001:db8::2" }, func(e *audit.Event) { e.ClientAddress = "" }},
		"another app":     {func(e *audit.Event) { e.AppID = "app_2" }, func(e *audit.Event) { e.AppID = "" }},
	} {
		for _, which := range []int{0, 2} { // indexes of the counts
			s, kept, clk := newLog(t)
			one := refusal("2001:db8::1")
			one.PersonID, one.AppID, one.AccountID, one.RequestID, one.Object = "usr_1", "app_1", "dev_1", "req_1", audit.Object{Type: "session", ID: "ses_1"}
			one.Details = map[string]string{audit.Scopes: "profile"}
			for range 30 {
				record(t, s, one)
			}
			for i := range 3 {
				e := one
				if i == which {
					c.change(&e)
				}
				record(t, s, e)
			}
			clk.Advance(time.Minute + time.Nanosecond)
			if err := s.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, want := kept.events[len(kept.events)-1], one
			want.ID, want.At = got.ID, clk.Now().Truncate(time.Microsecond)
			want.RequestID, want.Object.ID, want.Details = "", "", map[string]string{audit.Repeated: "3"}
			c.want(&want)
			if !reflect.DeepEqual(got, want) || !id.Valid("evt", got.ID) || got.ID == one.ID {
				t.Errorf("%s, number %d:\ngot  %+v\nwant %+v", name, which, got, want)
			}
		}
	}
}

// An interrupted run must neither lose a count nor add one twice.
func TestCountsAreAddedInShortTransactions(t *testing.T) {
	s, kept, clk := newLog(t)
	for i := range 500 {
		for range 31 {
			record(t, s, refusal(fmt.Sprintf("10.0.%d.%d", i/250, i%250)))
		}
	}
	added := len(kept.events)
	clk.Advance(time.Minute)
	kept.failsAfter(2)
	if err := s.Flush(t.Context()); err == nil {
		t.Error("Flush did not report the failure")
	}
	if n := len(kept.events) - added; n != 400 {
		t.Errorf("%d of 500 counts are added in two transactions", n)
	}
	kept.failsAfter(100)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	own, more := kept.counted()
	if n := len(kept.events) - added; n != 500 || own+more != 500*31 {
		t.Errorf("%d counts, %d events and %d counted of %d", n, own, more, 500*31)
	}
}

// Refused method calls are counted even for internal callers, because a single caller can make many of them.
func TestRefusedMethodCallsAreAlwaysCounted(t *testing.T) {
	s, kept, _ := newLog(t)
	for range 100 {
		e := refusal("192.0.2.1")
		e.Action, e.Caller = audit.MethodCall, "internal/search"
		record(t, s, e)
	}
	if own, _ := kept.counted(); own != 30 {
		t.Errorf("%d events, want 30", own)
	}
}

// The first 30 refusals of a source have their own events; later refusals are only counted.
func TestRefusalsAfterThe30thAreCounted(t *testing.T) {
	for sent, want := range map[int]int{29: 0, 30: 0, 31: 1, 32: 2} {
		s, kept, _ := newLog(t)
		for range sent {
			record(t, s, refusal("192.0.2.1"))
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if own, more := kept.counted(); own != min(sent, 30) || more != want || len(kept.events) != min(sent, 30)+min(want, 1) {
			t.Errorf("of %d: %d events and %d counted, in %d rows", sent, own, more, len(kept.events))
		}
		for i, e := range kept.events {
			if e.Action != audit.SignIn || e.Outcome != audit.Refused || e.Code != "SIGN_IN_FAILED" || e.Caller != audit.Gateway || e.ClientAddress != "192.0.2.1" {
				t.Errorf("of %d: row %d is %+v", sent, i, e)
			}
		}
	}
}

// A new window begins with the first refusal after a minute, whether or not the counts have been stored.
func TestNewWindowRecordsSeparateEventsAgain(t *testing.T) {
	s, kept, clk := newLog(t)
	for range 2 {
		for range 31 {
			record(t, s, refusal("192.0.2.1"))
		}
		clk.Advance(time.Minute)
	}
	if own, more := kept.counted(); own != 60 || more != 0 {
		t.Errorf("%d events and %d counted, want 60 and none yet", own, more)
	}
}
