package auditlog

import (
	"context"
	"slices"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/fault"
)

// usualOwn is how many events a person sees on a page unless the caller says.
const usualOwn = 50

// Own gives a page of what the log holds about a person's account, as that person sees it
// (behaviour: audit#what-a-person-sees), newest first, the names of the apps in it, and the
// token of the next page, which is empty at the end. Errors: Invalid naming the field.
func (s *Service) Own(ctx context.Context, personID, pageToken string, size int) (events []audit.Event, apps map[string]string, next string, err error) {
	if personID == "" || !fault.IsStorable(personID) { // no filter would be everybody's
		return nil, nil, "", nil
	}
	after, err := position(pageToken, end)
	if err != nil {
		return nil, nil, "", err
	}
	if size = min(size, maxPage); size == 0 {
		size = usualOwn
	}
	page, err := s.store.Events(ctx, Query{PersonID: personID, Actions: ofOwners(), After: after, AtMost: size})
	if err != nil {
		return nil, nil, "", err
	}
	if len(page) == size {
		last := page[len(page)-1]
		next = Position{At: last.At, ID: last.ID}.token()
	}
	// An event concerns one person, and another may have acted.
	page = slices.DeleteFunc(page, func(e audit.Event) bool { return e.Actor.Kind == audit.Person && e.Actor.ID != personID })
	apps, err = s.appsOf(ctx, page)
	return page, apps, next, err
}

// ofOwners are the actions that people see.
func ofOwners() (all []string) {
	for _, a := range audit.Actions {
		if a.ForOwner() {
			all = append(all, string(a))
		}
	}
	return all
}

// appsOf gives the names of the apps of events, those that were deleted too.
func (s *Service) appsOf(ctx context.Context, events []audit.Event) (map[string]string, error) {
	var ids []string
	for _, e := range events {
		if e.AppID != "" {
			ids = append(ids, e.AppID)
		}
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return nil, nil
	}
	named, err := s.store.NamesOf(ctx, ids, "")
	names := map[string]string{}
	for _, n := range named {
		names[n.ID] = n.Name
	}
	return names, err
}
