package authorize

import (
	"context"
	"slices"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/pkce"
	"vitae.internal/services/auth/internal/oauth/redirecturi"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

// The maximum lengths in bytes, as in the OpenAPI document.
const (
	maxState = 4096
	maxScope = 4096
)

// Parameters holds the parameters of an authorization request, as received.
type Parameters struct {
	ResponseType        string
	ClientID            string
	RedirectURI         string
	Scope               string
	CodeChallenge       string
	CodeChallengeMethod string
	State               string
	// Legacy is true for a request to the legacy interface, which doesn't support PKCE.
	Legacy bool
	// Duplicated lists the parameters that appear more than once.
	Duplicated []string
}

// Fault is an error to send to the redirect URI (RFC 6749 §4.1.2.1;
// behaviour: sign-in#faults-with-redirect).
type Fault struct {
	// Code is the value of the error parameter, for example "invalid_scope".
	Code        string
	Description string
}

// Checked is a request that passed the check.
type Checked struct {
	App app.App
	// Publisher describes the app's developer account, as shown to people.
	Publisher client.Publisher
	// Scopes are the requested scopes.
	Scopes scope.Set
}

// check returns the checked request, or a fault that must be sent to the redirect URI. If it returns an error, the
// browser must not be redirected (behaviour: sign-in#faults-without-redirect). Errors: client.ErrInvalid,
// account.ErrSuspended, OAUTH_INVALID_REQUEST.
func (s *Service) check(ctx context.Context, p Parameters) (Checked, *Fault, error) {
	c, err := s.requester(ctx, p)
	if err != nil {
		return Checked{}, nil, err
	}
	fault := checkForm(p)
	if fault == nil && !p.Legacy {
		fault = checkChallenge(p)
	}
	if fault != nil {
		return Checked{App: c.App, Publisher: c.Publisher}, fault, nil
	}
	scopes, fault := checkScope(p, c)
	return Checked{App: c.App, Publisher: c.Publisher, Scopes: scopes}, fault, nil
}

// requester returns the client after checking that the redirect URI is registered for it.
func (s *Service) requester(ctx context.Context, p Parameters) (client.Client, error) {
	for _, name := range []string{"client_id", "redirect_uri"} {
		if slices.Contains(p.Duplicated, name) {
			return client.Client{}, invalidRequest(name, "The parameter %s appears more than once.", name)
		}
	}
	if p.ClientID == "" {
		return client.Client{}, invalidRequest("client_id", "The parameter client_id is missing.")
	}
	if !(client.Credentials{ID: p.ClientID}).Known() {
		return client.Client{}, unknownClient
	}
	c, err := s.store.Client(ctx, p.ClientID, s.clock.Now())
	if errs.HasCode(err, client.ErrInvalid.Code) {
		return client.Client{}, unknownClient
	}
	audit.FromContext(ctx).Note(audit.About{AppID: c.App.ID, AccountID: c.App.AccountID})
	switch {
	case err != nil:
		return client.Client{}, err
	case c.Suspended:
		return client.Client{}, account.ErrSuspended
	case p.Legacy && !c.MayUseLegacy():
		return client.Client{}, client.ErrNotLegacy
	case p.RedirectURI == "":
		return client.Client{}, invalidRequest("redirect_uri", "The parameter redirect_uri is missing.")
	case !redirecturi.MatchesAny(c.App.RedirectURIs, p.RedirectURI):
		return client.Client{}, invalidRequest("redirect_uri", "The redirect_uri is not registered for this client.")
	}
	return c, nil
}

var unknownClient = errs.New(errs.Unauthenticated, client.ErrInvalid.Code, "The client_id is unknown.")

func invalidRequest(field, format string, args ...any) error {
	return errs.New(errs.Invalid, "OAUTH_INVALID_REQUEST", format, args...).WithField(field)
}

func checkForm(p Parameters) *Fault {
	invalid := func(description string) *Fault { return &Fault{"invalid_request", description} }
	switch {
	case len(p.Duplicated) > 0:
		return invalid("A parameter appears more than once: " + p.Duplicated[0] + ".")
	case len(p.State) > maxState:
		return invalid("The parameter state is too long.")
	case len(p.Scope) > maxScope:
		return invalid("The parameter scope is too long.")
	case p.ResponseType == "":
		return invalid("The parameter response_type is missing.")
	case p.ResponseType != "code":
		return &Fault{"unsupported_response_type", "The response_type must be code."}
	}
	return nil
}

func checkChallenge(p Parameters) *Fault {
	invalid := func(description string) *Fault { return &Fault{"invalid_request", description} }
	switch {
	case p.CodeChallenge == "":
		return invalid("The parameter code_challenge is missing: PKCE is required.")
	case p.CodeChallengeMethod != pkce.Method: // a missing method means "plain" (RFC 7636 §4.3)
		return invalid("The code_challenge_method must be S256.")
	case !pkce.ValidChallenge(p.CodeChallenge):
		return invalid("The code_challenge must be the base64url SHA-256 of the verifier, 43 characters.")
	}
	return nil
}

func checkScope(p Parameters, c client.Client) (scope.Set, *Fault) {
	if p.Legacy {
		if p.Scope != scope.ProfileRead {
			return nil, &Fault{"invalid_scope", "The scope must be " + scope.ProfileRead + "."}
		}
		return scope.Set{scope.ProfileRead}, nil
	}
	if !c.MayUseGrants() {
		return nil, &Fault{"unauthorized_client", "This client may not ask for anybody's consent here."}
	}
	requested, err := scope.Parse(p.Scope)
	if err != nil {
		return nil, &Fault{"invalid_scope", "The scope is refused: it holds an unknown value, or cv:contact without cv:read."}
	}
	if len(requested) == 0 { // there is no default scope (RFC 6749 §3.3)
		return nil, &Fault{"invalid_scope", "The parameter scope is missing."}
	}
	if !requested.Within(c.App.Scopes) {
		return nil, &Fault{"invalid_scope", "The scope holds a value that this client may not request."}
	}
	return requested, nil
}
