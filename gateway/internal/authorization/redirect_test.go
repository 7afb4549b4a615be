package authorization

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	issuer  = "https://api.vitae.example"
	inOrder = "response_type=code&client_id=svc_ci_1&redirect_uri=https%3A%2F%2Fpartner.example%2Fcb&scope=profile+email&state=a%20b&code_challenge=c&code_challenge_method=S256"
)

// fakeAuth is a fake auth service that records its calls.
type fakeAuth struct {
	authv1.OAuthServiceClient
	asked []*authv1.AuthorizationParameters
	fault *authv1.AuthorizationFault
	err   error
}

func (a *fakeAuth) CheckAuthorization(_ context.Context, req *authv1.CheckAuthorizationRequest, _ ...grpc.CallOption) (*authv1.CheckAuthorizationResponse, error) {
	a.asked = append(a.asked, req.GetParameters())
	return &authv1.CheckAuthorizationResponse{Fault: a.fault}, a.err
}

func TestRequestIsPassedToAuthUnchanged(t *testing.T) {
	got := Read(inOrder + "&scope=x&other=y").Parameters()
	if got.GetResponseType() != "code" || got.GetClientId() != "svc_ci_1" || got.GetRedirectUri() != "https://partner.example/cb" ||
		got.GetScope() != "profile email" || got.GetState() != "a b" || got.GetCodeChallenge() != "c" || got.GetCodeChallengeMethod() != "S256" ||
		strings.Join(got.GetDuplicated(), " ") != "scope" || got.GetLegacy() || Read("").Legacy() {
		t.Errorf("%v", got)
	}
	legacy := ReadLegacy(inOrder)
	if got := legacy.Parameters(); got.GetCodeChallenge() != "" || got.GetClientId() != "svc_ci_1" || !got.GetLegacy() || !legacy.Legacy() {
		t.Errorf("legacy: %v", got)
	}
}

func TestCheckSeparatesFaultsFromErrors(t *testing.T) {
	down := errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down")
	for name, c := range map[string]struct {
		query string
		auth  fakeAuth
		code  string // code of an error, which is never sent in a redirect
		fault string
		asked int
	}{
		"valid":                         {inOrder, fakeAuth{}, "", "", 1},
		"a fault from auth":             {inOrder, fakeAuth{fault: &authv1.AuthorizationFault{Error: "invalid_scope"}}, "", "invalid_scope", 1},
		"auth is down":                  {inOrder, fakeAuth{err: down}, "SERVICE_UNAVAILABLE", "", 1},
		"unreadable client_id":          {strings.Replace(inOrder, "svc_ci_1", "%ff", 1), fakeAuth{}, "OAUTH_INVALID_REQUEST", "", 0},
		"redirect_uri that is not text": {strings.Replace(inOrder, "%2Fcb", "%00", 1), fakeAuth{}, "OAUTH_INVALID_REQUEST", "", 0},
		"unreadable name":               {inOrder + "&%zz=1", fakeAuth{}, "OAUTH_INVALID_REQUEST", "", 0},
		"scope that is not text":        {strings.Replace(inOrder, "profile", "%ff", 1), fakeAuth{}, "", "invalid_request", 1},
		"state that is not text":        {strings.Replace(inOrder, "a%20b", "%ff", 1), fakeAuth{}, "", "invalid_request", 1},
	} {
		auth := c.auth
		got, err := Read(c.query).Check(t.Context(), &auth)
		if c.code != "" && !errs.HasCode(err, c.code) || c.code == "" && err != nil || got.GetFault().GetError() != c.fault || len(auth.asked) != c.asked {
			t.Errorf("%s: %v, %v, %d calls to auth", name, got, err, len(auth.asked))
		}
		if c.fault == "invalid_request" && got.GetFault().GetDescription() == "" {
			t.Errorf("%s: the fault has no description", name)
		}
	}
}

func TestRedirectKeepsQueryAndAddsIssuer(t *testing.T) {
	fault := &authv1.AuthorizationFault{Error: "invalid_scope", Description: `the "scope" is \ bad é` + "\n~"}
	for name, c := range map[string]struct{ got, want string }{
		"a code":                   {Read(inOrder).Grant(issuer, "c d"), "https://partner.example/cb?code=c%20d&iss=https%3A%2F%2Fapi.vitae.example&state=a%20b"},
		"a fault":                  {Read(inOrder).Refuse(issuer, fault), "https://partner.example/cb?error=invalid_scope&error_description=the%20%27scope%27%20is%20%27%20bad%20~&iss=https%3A%2F%2Fapi.vitae.example&state=a%20b"},
		"a URI with a query":       {Read("redirect_uri=https%3A%2F%2Fp.example%2F%3Fa%3Db").Grant(issuer, "c"), "https://p.example/?a=b&code=c&iss=https%3A%2F%2Fapi.vitae.example"},
		"no state":                 {Read("redirect_uri=https%3A%2F%2Fp.example&state=").Grant(issuer, "c"), "https://p.example?code=c&iss=https%3A%2F%2Fapi.vitae.example"},
		"a state that is not text": {Read("redirect_uri=https%3A%2F%2Fp.example&state=%ff").Grant(issuer, "c"), "https://p.example?code=c&iss=https%3A%2F%2Fapi.vitae.example"},
		"legacy code":              {ReadLegacy(inOrder).Grant(issuer, "c"), "https://partner.example/cb?code=c&state=a%20b"},
		"legacy fault":             {ReadLegacy(inOrder).Refuse(issuer, fault), "https://partner.example/cb?error=invalid_scope&state=a%20b"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, c.got, c.want)
		}
		if _, err := url.Parse(c.got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDescribeKeepsAllowedCharacters(t *testing.T) {
	var described string
	for c := range byte(0x80) {
		described += Describe(string(c))
	}
	const between = "$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ["
	if want := " !'#" + between + "']^_`abcdefghijklmnopqrstuvwxyz{|}~"; described != want {
		t.Errorf("a description keeps the characters\n%s, want\n%s", described, want)
	}
}
