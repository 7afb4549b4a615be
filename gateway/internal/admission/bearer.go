package admission

import (
	"errors"
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// scheme reads one kind of Bearer credential (behaviour: tokens#two-credential-kinds). It rejects the other
// kind (behaviour: tokens#wrong-credential-kind).
type scheme struct {
	prefix credential.Prefix
	kind   identityv1.CredentialKind
	// These are the errors for a missing credential, for more than one Authorization header, for a credential
	// that is not live, and for a credential with a wrong checksum. The last two differ only in their cause,
	// which responses do not contain.
	missing, repeated, invalid, malformed error
	// other is the prefix of the other kind of credential. wrongKind is the error for that kind.
	other     credential.Prefix
	wrongKind error
	// surface is the name of the surface's tier in the request log.
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

// present reads the credential of a request. It rejects a wrong checksum without a look-up
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

// bearer returns the token from the Authorization header, the only place where it may be (RFC 6750 §2.1).
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

// legacyToken reads tokens of the legacy interface. Its errors have the codes of package credentials, which
// package legacy replaces with its own.
var legacyToken = func() scheme {
	s := newScheme(credential.AccessToken, identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN,
		credentials.CodeUnknown, "access token", credential.APIKey, "API key")
	s.invalid = errs.New(errs.Unauthenticated, credentials.CodeUnknown, "The access token is unknown or revoked.")
	s.malformed = errs.New(errs.Unauthenticated, credentials.CodeUnknown, "The access token is unknown or revoked.").WithCause(errMalformed)
	return s
}()

// errExpired is returned for a token that has expired without having been revoked
// (behaviour: legacy#expired-tokens).
var errExpired = errs.New(errs.Unauthenticated, credentials.CodeExpired, "The access token has expired.")

// PresentLegacyToken reads the legacy token of a request. It returns CREDENTIAL_UNKNOWN if there is no
// well-formed token.
func PresentLegacyToken(r *http.Request) (Presented, error) { return legacyToken.present(r) }

// LegacyToken requires a live legacy token. It charges the app's hourly limit, not the account's budget
// (behaviour: legacy#hourly-limit).
func (g Gate) LegacyToken(partners Partners, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Vary", "Authorization")
		p, err := g.legacyPrincipal(w, r, partners)
		if err != nil {
			Refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(principal.NewContext(r.Context(), g.sign(p))))
	})
}

func (g Gate) legacyPrincipal(w http.ResponseWriter, r *http.Request, partners Partners) (*identityv1.Principal, error) {
	presented, err := PresentLegacyToken(r)
	if err != nil {
		return nil, g.chargeMadeUp(r, err)
	}
	guard := authGuard{gate: g, r: r}
	defer guard.release()
	record, err := g.Verifier.Verify(r.Context(), presented.Kind, presented.Hash, guard.mayAsk)
	switch err = g.chargeMadeUp(r, err); {
	case errs.HasCode(err, credentials.CodeExpired):
		return nil, errExpired
	case errs.HasCode(err, answer.CodeConnectionNotFound):
		return nil, legacyToken.invalid
	case err != nil:
		return nil, credentialError(err, legacyToken.invalid)
	}
	p, err := activePrincipal(r, record)
	if err != nil { // a suspended app receives the headers and is charged nothing (behaviour: legacy#suspended-app)
		partners.Show(w, r, record.GetPrincipal().GetAppId())
		return nil, err
	}
	err = partners.Charge(w, r, p.GetAppId())
	if err != nil {
		chain.ExchangeOf(r.Context()).Limits.RefusedBy = limits.RefusedByPartner
	}
	return p, err
}
