package authorization

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/keyring"
)

// PreviewPath is the URL path of previews of the consent page, without the token.
const PreviewPath = "/oauth/preview/"

const previewLife = 10 * time.Minute

// previewPurpose separates these signatures from others made with the same keys.
const previewPurpose = "vitae consent preview v1"

// Previews signs and verifies the URLs of read-only previews of an app's consent page
// (behaviour: console#consent-preview). The console signs them for members of the app's account, and the pages
// verify them.
type Previews struct {
	mac   *keyring.MAC
	clock clock.Clock
}

// NewPreviews returns a Previews that signs and verifies with the keys in the ring.
func NewPreviews(keys keyring.Ring, c clock.Clock) (Previews, error) {
	mac, err := keys.MAC(previewPurpose)
	if err != nil {
		return Previews{}, fmt.Errorf("previews: %w", err)
	}
	return Previews{mac, c}, nil
}

// Path returns the path of a preview, with a token that is valid for ten minutes. The token consists of
// base64url(query of an authorization request) "." expiry in Unix seconds "." base64url(HMAC-SHA256 of the
// preceding text).
func (p Previews) Path(clientID, redirectURI string, scopes []string) string {
	query := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "scope": {strings.Join(scopes, " ")},
		// A public client must send a challenge. No one knows the verifier for this one.
		"code_challenge": {strings.Repeat("A", 43)}, "code_challenge_method": {"S256"},
	}.Encode()
	payload := base64.RawURLEncoding.EncodeToString([]byte(query)) + "." + strconv.FormatInt(p.clock.Now().Add(previewLife).Unix(), 10)
	signature := p.mac.Sign([]byte(payload))
	return PreviewPath + payload + "." + strict.EncodeToString(signature[:])
}

// Read returns the authorization request in a token. It returns false if the token is invalid or has expired.
func (p Previews) Read(token string) (Request, bool) {
	at := strings.LastIndexByte(token, '.')
	if at < 0 {
		return Request{}, false
	}
	signature, err := strict.DecodeString(token[at+1:])
	if err != nil || !p.mac.Verify([]byte(token[:at]), signature) {
		return Request{}, false
	}
	query, until, _ := strings.Cut(token[:at], ".")
	seconds, err := strconv.ParseInt(until, 10, 64)
	if err != nil || p.clock.Now().Unix() >= seconds {
		return Request{}, false
	}
	raw, err := strict.DecodeString(query)
	return Read(string(raw)), err == nil
}

// strict accepts only one encoding of each value.
var strict = base64.RawURLEncoding.Strict()
