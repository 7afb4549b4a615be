package scope

import (
	"fmt"
	"slices"
	"strings"

	pkgscope "vitae.internal/pkg/scope"
)

// The words of pkg/scope that auth's rules are about.
const (
	Profile     = pkgscope.Profile
	Email       = pkgscope.Email
	CVRead      = pkgscope.CVRead
	CVContact   = pkgscope.CVContact
	ProfileRead = pkgscope.ProfileRead
)

// OfLegacyLink gives the scopes of the durable link of a consent to ProfileRead. The
// reader of the CV shows the phone number for ProfileRead itself: CVContact would also
// show the full address and personal details, which the consent page does not mention.
func OfLegacyLink() Set { return Set{Profile, Email, CVRead, ProfileRead} }

// Set is a set of scopes in the order of pkg/scope, without repeats.
type Set []string

// User makes a set of user scopes. The error names the first value that is not a user
// scope, or the rule that the set breaks: cv:contact needs cv:read (behaviour: sign-in#user-scopes).
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

// Company makes a set of company scopes (behaviour: tokens#api-key-scopes). The error
// names the first value that is not one.
func Company(values []string) (Set, error) { return ordered(pkgscope.Company(), values) }

// Parse makes a set of user scopes from a scope parameter (RFC 6749 §3.3). It ignores
// leading, trailing and repeated spaces, which clients often send.
func Parse(parameter string) (Set, error) {
	values := strings.Split(parameter, " ")
	return User(slices.DeleteFunc(values, func(v string) bool { return v == "" }))
}

// Stored makes a set from stored scopes, which were checked before they were stored.
func Stored(values []string) Set {
	s := Set(slices.Clone(values))
	slices.SortFunc(s, func(a, b string) int { return rank(a) - rank(b) })
	return s
}

// Has reports whether the set holds the scope.
func (s Set) Has(name string) bool { return slices.Contains(s, name) }

// SharesCV reports whether a consent to the set has a durable CV link.
func (s Set) SharesCV() bool { return s.Has(CVRead) || s.Has(ProfileRead) }

// ShowsPhoto reports whether a consent to the set shows the photo, if the person allows it:
// the photo is a part of the profile and of the CV.
func (s Set) ShowsPhoto() bool { return s.Has(Profile) || s.SharesCV() }

// Within reports whether every scope of s is in t.
func (s Set) Within(t Set) bool {
	return !slices.ContainsFunc(s, func(v string) bool { return !t.Has(v) })
}

// And gives the scopes that both sets hold.
func (s Set) And(t Set) Set {
	return slices.DeleteFunc(slices.Clone(s), func(v string) bool { return !t.Has(v) })
}

// ordered makes a set of the values, in the given order of all allowed words.
func ordered(order, values []string) (Set, error) {
	for _, v := range values {
		if !slices.Contains(order, v) {
			return nil, fmt.Errorf("%.40q is not one of %s", v, strings.Join(order, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(Set(order)), func(v string) bool { return !slices.Contains(values, v) }), nil
}

// rank is the place of a scope in the order of sets. ProfileRead comes first.
func rank(v string) int { return slices.Index(order, v) }

var order = append(pkgscope.User(), pkgscope.Company()...)
