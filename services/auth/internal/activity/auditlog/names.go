package auditlog

import (
	"context"
	"slices"

	"vitae.internal/pkg/audit"
)

// Name is the current name of an object or a person. Ended is true if it has been deleted or
// closed.
type Name struct {
	ID, Name string
	Ended    bool
}

// Names returns the names of the ids in a page of search results, with one query. For members, it
// returns only names in the account of the search; other ids in the events belong to someone else
// (behaviour: audit#names).
func (s *Service) Names(ctx context.Context, search Search, events []audit.Event) ([]Name, error) {
	if search.ByMember && search.AccountID == "" { // without an account, the store returns all names
		return nil, nil
	}
	var ids []string
	for _, e := range events {
		ids = append(ids, e.Actor.ID, e.Object.ID, e.AccountID, e.AppID, e.PersonID)
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
	if len(ids) == 0 {
		return nil, nil
	}
	account := ""
	if search.ByMember {
		account = search.AccountID
	}
	return s.store.NamesOf(ctx, ids, account)
}
