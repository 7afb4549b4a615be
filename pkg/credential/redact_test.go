package credential_test

import (
	"strings"
	"testing"

	"vitae.internal/pkg/credential"
)

func TestRedactRemovesCredentials(t *testing.T) {
	for _, p := range []credential.Prefix{
		credential.ClientSecret, credential.APIKey, credential.AuthorizationCode, credential.AccessToken, credential.RefreshToken,
	} {
		made := credential.New(p)
		body := strings.TrimPrefix(made, string(p))
		for text, want := range map[string]string{
			made:                           string(p),
			"curl/8 " + made + " x":        "curl/8 " + string(p) + " x",
			made[:30]:                      string(p),
			made + "," + made + "ab" + ".": string(p) + "," + string(p) + ".",
			string(p) + made:               string(p),
		} {
			got := credential.Redact(text)
			if strings.Contains(got, body[:8]) {
				t.Errorf("Redact(%q) = %q, which contains part of a credential", text, got)
			}
			if got != want {
				t.Errorf("Redact(%q) = %q, want %q", text, got, want)
			}
		}
	}
	for _, text := range []string{"", "example-client/1.4 (+https://partner.example)", "svc_ci_public", "svc_"} {
		if got := credential.Redact(text); got != text {
			t.Errorf("Redact(%q) = %q, want no change", text, got)
		}
	}
}
