package console

import (
	"net/http"
	"strings"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// names are the members of an account by their ids (behaviour: console#names-of-people).
type names map[string]string

// namesOf gives the names of those members of the account who are among ids. It asks for
// nobody if there is no id of a person.
func (c *Console) namesOf(r *http.Request, v visit, ids ...string) (names, error) {
	found := names{}
	for _, id := range ids {
		if !strings.HasPrefix(id, "usr_") {
			continue
		}
		listed, err := c.members.ListMembers(r.Context(), &authv1.ListMembersRequest{AccountId: v.account.GetAccountId()})
		for _, m := range listed.GetMembers() {
			found[m.GetPersonId()] = nameOf(m)
		}
		return found, err
	}
	return found, nil
}

// nameOf is what pages call a member. Whoever has disconnected the console has no name in it
// any more.
func nameOf(m *authv1.AccountMember) string {
	if m.GetName() != "" {
		return m.GetName()
	}
	return m.GetEmail()
}

// of gives the name of a member; the id of anybody else.
func (n names) of(id string) string {
	if name, known := n[id]; known {
		return name
	}
	return id
}
