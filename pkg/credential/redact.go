package credential

import "strings"

// secret are the prefixes of credentials that must never be logged.
var secret = []Prefix{ClientSecret, APIKey, AuthorizationCode, AccessToken, RefreshToken}

// Redact shortens every credential in a text to its prefix, even if it is truncated.
func Redact(text string) string {
	if !strings.Contains(text, "svc_") {
		return text
	}
	for _, p := range secret {
		var kept strings.Builder
		for {
			before, after, found := strings.Cut(text, string(p))
			kept.WriteString(before)
			if !found {
				break
			}
			kept.WriteString(string(p))
			text = strings.TrimLeft(after, alphabet+"_")
		}
		text = kept.String()
	}
	return text
}
