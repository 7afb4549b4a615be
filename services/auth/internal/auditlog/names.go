package auditlog

import (
	"context"
	"slices"

	"vitae.internal/pkg/audit"
)

// Name is what a thing, or a person, is called now. Ended is true for what was deleted or
// closed.
type Name struct {
	ID, Name string
	Ended    bool
}

// Names gives the names of what a page of a search has ids of, in one look-up. Of members
// they are those of their account: what events name besides belongs to others
// (behaviour: audit#names).
func (s *Service) Names(ctx context.Context, search Search, events []audit.Event) ([]Name, error) {
	if search.ByMember && search.AccountID == "" { // the store names everything without an account
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
