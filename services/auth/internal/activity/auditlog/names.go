package auditlog

import (
	"context"
	"slices"

	"vitae.internal/pkg/audit"
)

// Name is the current name of an object or person. Ended is true if the object has been deleted or the account
// closed.
type Name struct {
	ID, Name string
	Ended    bool
}

// Names looks up the names for the ids on a page of search results, in one query. For members, it returns only names
// within the searched account; other ids in the events belong to someone else (behaviour: audit#names).
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
