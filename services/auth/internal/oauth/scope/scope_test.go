package scope_test

import (
	"slices"
	"testing"

	"vitae.internal/services/auth/internal/oauth/scope"
)

func TestParseOrdersScopes(t *testing.T) {
	cases := []struct {
		in   string
		want []string
		ok   bool
	}{
		{"profile", []string{"profile"}, true},
		{"cv:contact cv:read email profile", []string{"profile", "email", "cv:read", "cv:contact"}, true},
		{" email  email ", []string{"email"}, true},
		{"", nil, true},
		{"cv:contact", nil, false},
		{"openid", nil, false},
		{"jobs:read", nil, false},
		{"Profile", nil, false},
		{"profile\temail", nil, false},
		{"profile\x00", nil, false},
	}
	for _, c := range cases {
		got, err := scope.Parse(c.in)
		if (err == nil) != c.ok || !slices.Equal(got, c.want) {
			t.Errorf("Parse(%q) = %v, %v", c.in, got, err)
		}
	}
}

func TestUserAndCompanyScopesNeverMix(t *testing.T) {
	_, err := scope.Company([]string{"profile"})
	if err == nil || err.Error() != `"profile" is not one of companies:read, companies:write, jobs:read, jobs:write, candidates:read` {
		t.Errorf("an API key with a user scope: %v, want an error that lists the allowed scopes", err)
	}
	if _, err := scope.User([]string{"companies:read"}); err == nil {
		t.Error("an app may request a company scope")
	}
}
