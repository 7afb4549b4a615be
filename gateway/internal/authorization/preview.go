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

// PreviewPath is the path of previews of the consent page, without the token.
const PreviewPath = "/oauth/preview/"

// previewLife is how long the address of a preview works.
const previewLife = 10 * time.Minute

// previewPurpose is what the tokens of previews are signed for.
const previewPurpose = "vitae consent preview v1"

// Previews makes and reads the addresses of previews: of the consent page of an app as
// people see it, on which nothing can be allowed (behaviour: console#see-the-consent-page).
// The console makes them for members of the app's account, the pages read them.
type Previews struct {
	mac   *keyring.MAC
	clock clock.Clock
}

// NewPreviews signs with the ring that the doors share.
func NewPreviews(keys keyring.Ring, c clock.Clock) (Previews, error) {
	mac, err := keys.MAC(previewPurpose)
	if err != nil {
		return Previews{}, fmt.Errorf("previews: %w", err)
	}
	return Previews{mac, c}, nil
}

// Path is the address of a preview at the pages. Its token is base64url(the query of an
// authorization request) "." Unix seconds "." base64url(HMAC-SHA256 of what is before).
func (p Previews) Path(clientID, redirectURI string, scopes []string) string {
	query := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "scope": {strings.Join(scopes, " ")},
		// A public client must send a challenge. Nobody has its verifier.
		"code_challenge": {strings.Repeat("A", 43)}, "code_challenge_method": {"S256"},
	}.Encode()
	payload := base64.RawURLEncoding.EncodeToString([]byte(query)) + "." + strconv.FormatInt(p.clock.Now().Add(previewLife).Unix(), 10)
	signature := p.mac.Sign([]byte(payload))
	return PreviewPath + payload + "." + strict.EncodeToString(signature[:])
}

// Read gives the authorization request whose consent page a token shows, and whether the
// token is one and its time has not passed.
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

// strict is base64url of which one value has only one spelling.
var strict = base64.RawURLEncoding.Strict()
