package membership

import "slices"

// Role is what a person may do in an account.
type Role string

// The roles. Each may do what those before it may.
const (
	Viewer    Role = "viewer"
	Developer Role = "developer"
	Owner     Role = "owner"
)

var roles = []Role{Viewer, Developer, Owner}

// Above returns the roles that may do more than the role; all of them for what is no role.
func (r Role) Above() (above []string) {
	for _, other := range roles {
		if !r.AtLeast(other) {
			above = append(above, string(other))
		}
	}
	return above
}

// AtLeast reports whether the role may do what the other one may. What is no role may
// nothing.
func (r Role) AtLeast(other Role) bool {
	least := slices.Index(roles, other)
	return least >= 0 && slices.Index(roles, r) >= least
}
