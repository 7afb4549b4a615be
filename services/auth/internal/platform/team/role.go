package team

import "slices"

// Role is a member's role in an account.
type Role string

// The roles, from the least to the most permissions. Each role includes the permissions of the previous one.
const (
	Viewer    Role = "viewer"
	Developer Role = "developer"
	Owner     Role = "owner"
)

var roles = []Role{Viewer, Developer, Owner}

// Above returns the roles with more permissions than r, or all roles if r is unknown.
func (r Role) Above() (above []string) {
	for _, other := range roles {
		if !r.AtLeast(other) {
			above = append(above, string(other))
		}
	}
	return above
}

// AtLeast reports whether r has all permissions of other. An unknown role has no permissions.
func (r Role) AtLeast(other Role) bool {
	least := slices.Index(roles, other)
	return least >= 0 && slices.Index(roles, r) >= least
}
