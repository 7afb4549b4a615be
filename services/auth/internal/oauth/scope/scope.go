package scope

import (
	"fmt"
	"slices"
	"strings"

	pkgscope "vitae.internal/pkg/scope"
)

// The scopes for which special rules apply.
const (
	Profile     = pkgscope.Profile
	Email       = pkgscope.Email
	CVRead      = pkgscope.CVRead
	CVContact   = pkgscope.CVContact
	ProfileRead = pkgscope.ProfileRead
)

// OfLegacyLink returns the scopes of the durable link that belongs to a ProfileRead consent. ProfileRead is included
// because the CV shows the phone number for it. CVContact is not included, because it would also show the full
// address and personal details, which the consent page doesn't mention.
func OfLegacyLink() Set { return Set{Profile, Email, CVRead, ProfileRead} }

// Set is a set of scopes without duplicates, in the order defined in pkg/scope.
type Set []string

// User returns a set of user scopes. The error names the first invalid value. It also returns an error for
// cv:contact without cv:read (behaviour: sign-in#user-scopes).
func User(values []string) (Set, error) {
	s, err := ordered(pkgscope.User(), values)
	if err != nil {
		return nil, err
	}
	if s.Has(CVContact) && !s.Has(CVRead) {
		return nil, fmt.Errorf("%s needs %s", CVContact, CVRead)
	}
	return s, nil
}

// Company returns a set of company scopes (behaviour: tokens#api-key-scopes). The error names
// the first invalid value.
func Company(values []string) (Set, error) { return ordered(pkgscope.Company(), values) }

// Parse returns the user scopes in a scope parameter (RFC 6749 §3.3). It ignores leading, trailing and repeated
// spaces, which clients often send.
func Parse(parameter string) (Set, error) {
	values := strings.Split(parameter, " ")
	return User(slices.DeleteFunc(values, func(v string) bool { return v == "" }))
}

// Stored returns a set of scopes read from the database, which were validated before they were stored.
func Stored(values []string) Set {
	s := Set(slices.Clone(values))
	slices.SortFunc(s, func(a, b string) int { return rank(a) - rank(b) })
	return s
}

// Has reports whether the set contains the scope.
func (s Set) Has(name string) bool { return slices.Contains(s, name) }

// SharesCV reports whether a consent to these scopes has a durable CV link.
func (s Set) SharesCV() bool { return s.Has(CVRead) || s.Has(ProfileRead) }

// ShowsPhoto reports whether a consent to these scopes can share the photo, which is part of the profile and the CV.
func (s Set) ShowsPhoto() bool { return s.Has(Profile) || s.SharesCV() }

// Within reports whether every scope of s is in t.
func (s Set) Within(t Set) bool {
	return !slices.ContainsFunc(s, func(v string) bool { return !t.Has(v) })
}

// And returns the intersection of s and t.
func (s Set) And(t Set) Set {
	return slices.DeleteFunc(slices.Clone(s), func(v string) bool { return !t.Has(v) })
}

// ordered returns the values as a set, sorted in the given order. It returns an error if a value is not in that
// order.
func ordered(order, values []string) (Set, error) {
	for _, v := range values {
		if !slices.Contains(order, v) {
			return nil, fmt.Errorf("%.40q is not one of %s", v, strings.Join(order, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(Set(order)), func(v string) bool { return !slices.Contains(values, v) }), nil
}

// rank returns the position of a scope in a Set. ProfileRead comes first.
func rank(v string) int { return slices.Index(order, v) }

var order = append(pkgscope.User(), pkgscope.Company()...)
