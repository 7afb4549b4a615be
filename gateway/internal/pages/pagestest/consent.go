package pagestest

import "net/url"

// ConsentPath is the path of the consent page for an authorization request with ConsentQuery.
// ConsentState is the state parameter of the request.
const (
	ConsentQuery = "response_type=code&client_id=svc_ci_1&redirect_uri=https%3A%2F%2Fjobs.example%2Fcallback%3Flang%3Den" +
		"&scope=profile+email+cv%3Aread+cv%3Acontact&code_challenge=x&code_challenge_method=S256&state=a%26b%3D%2B%20%22%E2%9C%93%0D%0A"
	ConsentPath  = "/oauth/authorize?" + ConsentQuery
	ConsentState = "a&b=+ \"✓\r\n"
)

// LegacyPath is the path of the legacy interface's consent page.
var LegacyPath = "/oauth/legacy/authorize?" + url.Values{
	"response_type": {"code"}, "client_id": {"svc_ci_1"}, "redirect_uri": {RedirectURI}, "scope": {"profile:read"}, "state": {ConsentState},
	"code_challenge": {"not of this interface"},
}.Encode()
