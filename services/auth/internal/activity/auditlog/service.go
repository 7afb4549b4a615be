package auditlog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
)

const (
	// usualPage and maxPage are the default and maximum page sizes.
	usualPage = 100
	maxPage   = 1000
	// keepEvery is the interval at which the partition job runs.
	keepEvery = time.Hour
)

// Config configures a Service. All fields are required.
type Config struct {
	Store      Store
	Partitions Partitions
	Clock      clock.Clock
	Log        *slog.Logger
}

// Service adds and lists events.
type Service struct {
	store      Store
	partitions Partitions
	flood      *flood
	clock      clock.Clock
	log        *slog.Logger
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Partitions == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("auditlog: Store, Partitions, Clock and Log are required")
	}
	return &Service{store: c.Store, partitions: c.Partitions, flood: newFlood(c.Clock), clock: c.Clock, log: c.Log}, nil
}

// Record adds an event. Above a limit, events that a client can cause at no cost are only counted
// (behaviour: audit#rate-of-events).
func (s *Service) Record(ctx context.Context, e audit.Event) error {
	if costsNothing(e) && !s.flood.admits(e) {
		return nil
	}
	return s.add(ctx, []audit.Event{e})
}

// costsNothing reports whether the event costs the client nothing. Such events come from clients without a valid
// credential, callers that try methods, and people who decline a consent.
func costsNothing(e audit.Event) bool {
	if e.Action == audit.ConsentDecline {
		return true
	}
	return e.Outcome == audit.Refused && (e.Caller == audit.Gateway || e.Action == audit.MethodCall)
}

// owned maps each service to the kinds of objects that it owns. A service may record events only about these.
var owned = map[string][]string{
	"candidate":      {"profile", "cv", "application", "resume", "method"},
	"partnercatalog": {"company", "job", "method"},
}

// RecordEvents adds events from another service about its own objects, each event once. It drops events that are
// older than the log. An invalid event results in an Invalid error that names the field.
func (s *Service) RecordEvents(ctx context.Context, part string, events []audit.Event) error {
	faults := fault.Argument()
	clean := make([]audit.Event, len(events))
	for i, e := range events {
		thing, _, _ := strings.Cut(string(e.Action), ".")
		if !e.Action.Known() || !slices.Contains(owned[part], thing) {
			faults.Add(fmt.Sprintf("events[%d].action", i), "is not an action of the service that records it")
		}
		if audit.ID(e.ID) == "" {
			faults.Add(fmt.Sprintf("events[%d].id", i), "is no id")
		}
		clean[i] = e.Clean()
	}
	if err := faults.Err(); err != nil {
		return err
	}
	return s.add(ctx, clean)
}

// add adds events and creates missing partitions. It drops events outside the time range of
// the log.
func (s *Service) add(ctx context.Context, events []audit.Event) error {
	err := s.store.AddEvents(ctx, events)
	if !errors.Is(err, ErrNoPartition) {
		return err
	}
	kept := make([]audit.Event, 0, len(events))
	for _, e := range events {
		switch held, err := s.partitions.MakeAuditPartition(ctx, e.At); {
		case err != nil:
			return err
		case held:
			kept = append(kept, e)
		default:
			s.log.WarnContext(ctx, "an event outside the time range of the audit log was dropped", "event_id", e.ID, "at", e.At)
		}
	}
	return s.store.AddEvents(ctx, kept)
}

// Search selects the events to list. Empty filters match everything. From is inclusive, To is exclusive.
type Search struct {
	AccountID, AppID, PersonID string
	Actions                    []string
	// Outcome matches the outcome of the events.
	Outcome  audit.Outcome
	From, To time.Time
	// PageToken comes from the previous page. A PageSize of 0 means the default size.
	PageToken string
	PageSize  int
	// ByMember is true if a member of the account searches, who may not see everything.
	ByMember bool
}

// Events returns a page of the log, newest first, and the token of the next page, or "" if this is the last page. An
// invalid filter results in an Invalid error that names the field.
func (s *Service) Events(ctx context.Context, search Search) ([]audit.Event, string, error) {
	faults := fault.Argument()
	for i, a := range search.Actions {
		if !audit.Action(a).Known() {
			faults.Add(fmt.Sprintf("actions[%d]", i), "is not an action of the audit log")
		}
	}
	if err := faults.Err(); err != nil {
		return nil, "", err
	}
	if search.To.IsZero() || search.To.After(end) {
		search.To = end
	}
	after, err := position(search.PageToken, search.To)
	if err != nil {
		return nil, "", err
	}
	if search.ByMember {
		var some bool
		if search, some = search.forMembers(); !some {
			return nil, "", nil
		}
	}
	for _, id := range []string{search.AccountID, search.AppID, search.PersonID} {
		if !fault.IsStorable(id) {
			return nil, "", nil // such an id cannot be stored
		}
	}
	size := min(search.PageSize, maxPage)
	if size == 0 {
		size = usualPage
	}
	page, err := s.store.Events(ctx, Query{
		AccountID: search.AccountID, AppID: search.AppID, PersonID: search.PersonID, Actions: slices.Clone(search.Actions),
		Outcome: search.Outcome, Since: search.From, After: after, AtMost: size,
	})
	if search.ByMember {
		for i := range page {
			page[i] = redacted(page[i])
		}
	}
	if err != nil || len(page) < size {
		return page, "", err
	}
	last := page[len(page)-1]
	return page, Position{At: last.At, ID: last.ID}.token(), nil
}

// Job returns the job that creates partitions in advance and drops old ones.
func (s *Service) Job() background.Job {
	return background.Job{Every: keepEvery, Warning: "cannot create or drop partitions of the audit log; trying again in the next round", Round: s.keep}
}

func (s *Service) keep(ctx context.Context) error {
	if err := s.partitions.MakeNextAuditPartitions(ctx); err != nil {
		return err
	}
	return s.partitions.DropAuditPartitions(ctx)
}

// FloodJob returns the job that stores the counts of refusals that have no separate event.
func (s *Service) FloodJob() background.Job {
	return background.Job{Every: flushEvery, Warning: "cannot store the counts of refusals; trying again in the next round", Round: s.Flush}
}

// Flush stores the counts of past windows.
func (s *Service) Flush(ctx context.Context) error {
	events := s.flood.ended()
	for len(events) > 0 {
		some := events[:min(len(events), flushAtOnce)]
		if err := s.add(ctx, some); err != nil {
			s.flood.takeBack(events)
			return err
		}
		for _, e := range some {
			audit.Log(ctx, s.log, e)
		}
		events = events[len(some):]
	}
	return nil
}

// Close stores all counts when the service stops. A crash loses at most a minute of counts.
func (s *Service) Close(ctx context.Context) error {
	s.flood.end()
	return s.Flush(ctx)
}
