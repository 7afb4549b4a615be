package auditlog

import (
	"context"
	"slices"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/fault"
)

// usualOwn is the default page size for people.
const usualOwn = 50

// Own returns a page of the events about a person's account, as the person sees them
// (behaviour: audit#what-a-person-sees), newest first. It also returns the names of the apps in them, and the token
// of the next page, or "" if this is the last page. An invalid argument results in an Invalid error that names the
// field.
func (s *Service) Own(ctx context.Context, personID, pageToken string, size int) (events []audit.Event, apps map[string]string, next string, err error) {
	if personID == "" || !fault.IsStorable(personID) { // an empty filter would match everyone
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
	// The event is about this person, but may have been caused by someone else.
	page = slices.DeleteFunc(page, func(e audit.Event) bool { return e.Actor.Kind == audit.Person && e.Actor.ID != personID })
	apps, err = s.appsOf(ctx, page)
	return page, apps, next, err
}

// ofOwners returns the actions that people see in their accounts' logs.
func ofOwners() (all []string) {
	for _, a := range audit.Actions {
		if a.ForOwner() {
			all = append(all, string(a))
		}
	}
	return all
}

// appsOf returns the names of the events' apps, including deleted ones.
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
