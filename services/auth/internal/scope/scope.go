package scope

import (
	"fmt"
	"slices"
	"strings"
)

// User scopes (spec: User scopes).
const (
	Profile   = "profile"
	Email     = "email"
	CVRead    = "cv:read"
	CVContact = "cv:contact"
)

// ProfileRead is the one scope of the older profile-sharing interface (decision
// 43). It is no user scope: nothing else can request, hold or accept it.
const ProfileRead = "profile:read"

// OfLegacyLink are the scopes of the durable link of a consent to ProfileRead. The
// phone number comes with ProfileRead itself: CVContact would show the full address
// and personal details too, which the person was never told of.
func OfLegacyLink() Set { return Set{Profile, Email, CVRead, ProfileRead} }

var (
	userOrder    = []string{Profile, Email, CVRead, CVContact}
	companyOrder = []string{"companies:read", "companies:write", "jobs:read", "jobs:write", "candidates:read"}
)

// Set is a set of scopes in the specification's order, without repeats.
type Set []string

// User makes a set of user scopes. The error names the first value that is none,
// or the rule that the set breaks: cv:contact needs cv:read (decision 11).
func User(values []string) (Set, error) {
	s, err := ordered(userOrder, values)
	if err != nil {
		return nil, err
	}
	if s.Has(CVContact) && !s.Has(CVRead) {
		return nil, fmt.Errorf("%s needs %s", CVContact, CVRead)
	}
	return s, nil
}

// Company makes a set of company scopes (spec: API key scopes).
func Company(values []string) (Set, error) { return ordered(companyOrder, values) }

// Parse makes a set of user scopes from a scope parameter (RFC 6749 §3.3). Spaces
// that lead, trail or repeat are overlooked, as clients often send them.
func Parse(parameter string) (Set, error) {
	values := strings.Split(parameter, " ")
	return User(slices.DeleteFunc(values, func(v string) bool { return v == "" }))
}

// Stored makes a set from what the store keeps, which was checked on its way in.
func Stored(values []string) Set {
	s := Set(slices.Clone(values))
	slices.SortFunc(s, func(a, b string) int { return rank(a) - rank(b) })
	return s
}

// Has reports whether the set holds the scope.
func (s Set) Has(name string) bool { return slices.Contains(s, name) }

// SharesCV reports whether a consent to the set has a durable CV link.
func (s Set) SharesCV() bool { return s.Has(CVRead) || s.Has(ProfileRead) }

// Within reports whether every scope of s is in t.
func (s Set) Within(t Set) bool {
	return !slices.ContainsFunc(s, func(v string) bool { return !t.Has(v) })
}

// And gives the scopes that both sets hold.
func (s Set) And(t Set) Set {
	return slices.DeleteFunc(slices.Clone(s), func(v string) bool { return !t.Has(v) })
}

func ordered(order, values []string) (Set, error) {
	for _, v := range values {
		if !slices.Contains(order, v) {
			return nil, fmt.Errorf("%.40q is not one of %s", v, strings.Join(order, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(Set(order)), func(v string) bool { return !slices.Contains(values, v) }), nil
}

func rank(v string) int {
	if i := slices.Index(userOrder, v); i >= 0 {
		return i
	}
	return len(userOrder) + slices.Index(companyOrder, v)
}
