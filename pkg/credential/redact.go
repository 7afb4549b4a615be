package credential

import "strings"

// secretPrefixes lists the prefixes of credentials that must never be logged.
var secretPrefixes = []Prefix{ClientSecret, APIKey, AuthorizationCode, AccessToken, RefreshToken}

// Redact replaces every credential in text, even a truncated one, with its prefix.
func Redact(text string) string {
	if !strings.Contains(text, "svc_") {
		return text
	}
	for _, p := range secretPrefixes {
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
