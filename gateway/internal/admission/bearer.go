package admission

import (
	"errors"
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// scheme reads one kind of Bearer credential (behaviour: tokens#two-credential-kinds). It
// refuses credentials of the other kind (behaviour: tokens#wrong-credential-kind).
type scheme struct {
	prefix credential.Prefix
	kind   identityv1.CredentialKind
	// The errors for no credential, for more than one Authorization header, for a
	// credential that is not live, and for one with a wrong checksum. The last two
	// differ only in their cause, which responses do not show.
	missing, repeated, invalid, malformed error
	// other is the prefix of the other kind, wrongKind the error for it.
	other     credential.Prefix
	wrongKind error
	// surface is the name of the tier in the request log.
	surface string
}

var (
	userToken = onSurface(limits.SurfaceUserToken, newScheme(credential.AccessToken, identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, answer.CodeOAuthToken, "access token", credential.APIKey, "API key"))
	apiKey    = onSurface(limits.SurfaceAPIKey, newScheme(credential.APIKey, identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, answer.CodeAPIKeyInvalid, "API key", credential.AccessToken, "access token"))
)

func onSurface(name string, s scheme) scheme {
	s.surface = name
	return s
}

func newScheme(prefix credential.Prefix, kind identityv1.CredentialKind, code, name string, other credential.Prefix, otherName string) scheme {
	return scheme{
		prefix: prefix, kind: kind,
		missing:   errs.New(errs.Unauthenticated, code, "The request carries no %s.", name).WithCause(answer.ErrNoCredential),
		repeated:  errs.New(errs.Unauthenticated, code, "The request carries more than one Authorization header."),
		invalid:   errs.New(errs.Unauthenticated, code, "The %s is unknown, expired or revoked.", name),
		malformed: errs.New(errs.Unauthenticated, code, "The %s is unknown, expired or revoked.", name).WithCause(errMalformed),
		other:     other,
		wrongKind: errs.New(errs.Unauthenticated, code, "This path takes an %s, not an %s.", name, otherName),
	}
}

// errMalformed is the cause of the error for a credential with a wrong checksum.
var errMalformed = errors.New("the credential is malformed")

// present reads the credential of a request. It refuses a wrong checksum without a lookup
// (behaviour: tokens#credential-prefixes).
func (s scheme) present(r *http.Request) (Presented, error) {
	token, err := s.bearer(r.Header)
	if err != nil {
		return Presented{}, err
	}
	if strings.HasPrefix(token, string(s.other)) {
		return Presented{}, s.wrongKind
	}
	if !credential.WellFormed(s.prefix, token) {
		return Presented{}, s.malformed
	}
	return Presented{Kind: s.kind, Hash: credential.Hash(token)}, nil
}

// bearer returns the token of the Authorization header, the only place allowed
// (RFC 6750 §2.1).
func (s scheme) bearer(h http.Header) (string, error) {
	fields := h.Values("Authorization")
	if len(fields) == 0 {
		return "", s.missing
	}
	if len(fields) > 1 {
		return "", s.repeated
	}
	name, token, _ := strings.Cut(fields[0], " ")
	if !strings.EqualFold(name, "Bearer") {
		return "", s.missing
	}
	token = strings.Trim(token, " ")
	if token == "" {
		return "", s.missing
	}
	return token, nil
}
