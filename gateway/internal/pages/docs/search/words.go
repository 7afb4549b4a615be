package search

import (
	"slices"
	"strings"
)

// synonyms are groups of words with the same meaning: the words that developers type and the words
// that the pages use. A query word also matches the other words of its groups, with a lower score.
var synonyms = [][]string{
	{"update", "change", "edit", "modify", "patch"},
	{"get", "read", "fetch", "retrieve", "show"},
	{"delete", "remove"},
	{"revoke", "revocation", "invalidate"},
	{"introspect", "introspection", "validate"},
	{"pagination", "paginate", "paging", "pagesize", "cursor", "offset"},
	{"mismatch", "wrong", "differs", "invalid"},
	{"redirect_uri", "callback", "redirect"},
	{"login", "signin", "sign-in", "sign in", "sso"},
	{"throttle", "throttling", "ratelimit", "rate-limit", "limit", "quota"},
	{"backoff", "retry", "retries"},
	{"avatar", "photo", "picture"},
	{"permission", "scope"},
	{"applicant", "candidate", "application"},
	{"company", "employer"},
	{"vacancy", "posting", "job"},
	{"python", "javascript", "node", "curl", "golang", "sample"},
	{"expired", "expires", "expiry", "lives"},
	{"idempotent", "idempotency", "idempotency-key"},
	{"pkce", "code_verifier", "code_challenge"},
	{"cors", "origin", "browser"},
	{"team", "member", "invite"},
	{"upgrade", "plan"},
}

// fillers are words in a question that do not identify its subject.
var fillers = []string{"a", "an", "the", "of", "to", "in", "on", "for", "with", "how", "do", "i", "my", "is", "what", "and"}

// term is a query word with its synonyms. The word itself comes first.
type term []string

// terms returns the words of a query. It drops fillers unless the query consists only of fillers.
func terms(query string) []term {
	words := strings.Fields(lower(query))
	told := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(fillers, w) })
	if len(told) == 0 {
		told = words
	}
	var all []term
	for _, w := range told[:min(len(told), maxWords)] {
		t := term{w}
		if one := singular(w); one != w {
			t = append(t, one)
		}
		for _, group := range synonyms {
			if slices.Contains(group, w) || slices.Contains(group, singular(w)) {
				t = append(t, slices.DeleteFunc(slices.Clone(group), func(s string) bool { return s == w })...)
			}
		}
		all = append(all, t)
	}
	return all
}

// singular removes the plural ending from a noun.
func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}
