package admission

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// scheme is a kind of credential that is sent as a Bearer token (spec: Two
// credential kinds). Whatever else is presented in its place is a fault of the
// credential, another kind too: they never mix.
type scheme struct {
	prefix credential.Prefix
	kind   identityv1.CredentialKind
	// none, twice and dead are what a request is told that brings no credential, more
	// than one, or one that opens nothing.
	none, twice, dead error
	// other is the prefix of the other kind, and mixed what one of it is told, live
	// or dead.
	other credential.Prefix
	mixed error
}

var (
	userToken = newScheme(credential.AccessToken, identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, answer.CodeOAuthToken, "access token", credential.APIKey, "API key")
	apiKey    = newScheme(credential.APIKey, identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, answer.CodeAPIKeyInvalid, "API key", credential.AccessToken, "access token")
)

func newScheme(prefix credential.Prefix, kind identityv1.CredentialKind, code, name string, other credential.Prefix, otherName string) scheme {
	return scheme{
		prefix: prefix, kind: kind,
		none:  errs.New(errs.Unauthenticated, code, "The request carries no %s.", name).WithCause(answer.ErrNoCredential),
		twice: errs.New(errs.Unauthenticated, code, "The request carries more than one Authorization header."),
		dead:  errs.New(errs.Unauthenticated, code, "The %s is unknown, expired or revoked.", name),
		other: other,
		mixed: errs.New(errs.Unauthenticated, code, "This path takes an %s, not an %s.", name, otherName),
	}
}

// present reads the credential of a request. One whose checksum is wrong is
// refused without a look-up.
func (s scheme) present(r *http.Request) (Presented, error) {
	token, err := s.bearer(r.Header)
	if err != nil {
		return Presented{}, err
	}
	if strings.HasPrefix(token, string(s.other)) {
		return Presented{}, s.mixed
	}
	if !credential.WellFormed(s.prefix, token) {
		return Presented{}, s.dead
	}
	return Presented{Kind: s.kind, Hash: credential.Hash(token)}, nil
}

// bearer gives the token of the Authorization field, the one place where it may
// be (RFC 6750 §2.1).
func (s scheme) bearer(h http.Header) (string, error) {
	fields := h.Values("Authorization")
	if len(fields) == 0 {
		return "", s.none
	}
	if len(fields) > 1 {
		return "", s.twice
	}
	name, token, _ := strings.Cut(fields[0], " ")
	if !strings.EqualFold(name, "Bearer") {
		return "", s.none
	}
	token = strings.Trim(token, " ")
	if token == "" {
		return "", s.none
	}
	return token, nil
}
