package admission

import (
	"net/http"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// legacyToken reads tokens of the legacy interface. Its errors have the codes of package
// credentials, which package legacy maps to its own.
var legacyToken = func() scheme {
	s := newScheme(credential.AccessToken, identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN,
		credentials.CodeUnknown, "access token", credential.APIKey, "API key")
	s.invalid = errs.New(errs.Unauthenticated, credentials.CodeUnknown, "The access token is unknown or revoked.")
	s.malformed = errs.New(errs.Unauthenticated, credentials.CodeUnknown, "The access token is unknown or revoked.").WithCause(errMalformed)
	return s
}()

// errExpired is for a token that has expired and was not revoked
// (behaviour: legacy#expired-tokens).
var errExpired = errs.New(errs.Unauthenticated, credentials.CodeExpired, "The access token has expired.")

// PresentLegacyToken reads the request's token of the legacy interface. Errors:
// CREDENTIAL_UNKNOWN.
func PresentLegacyToken(r *http.Request) (Presented, error) { return legacyToken.present(r) }

// LegacyToken requires a live token of the legacy interface. It charges the app's hourly
// limit, not the account's budget (behaviour: legacy#hourly-limit).
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
