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

// legacyToken is a token of the legacy interface. Its errors carry the codes of
// package credentials, which package legacy maps to its own codes.
var legacyToken = func() scheme {
	s := newScheme(credential.AccessToken, identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN,
		credentials.CodeUnknown, "access token", credential.APIKey, "API key")
	s.invalid = errs.New(errs.Unauthenticated, credentials.CodeUnknown, "The access token is unknown or revoked.")
	s.malformed = errs.New(errs.Unauthenticated, credentials.CodeUnknown, "The access token is unknown or revoked.").WithCause(errMalformed)
	return s
}()

// errExpired is the error for a token that is dead only because of its age
// (behaviour: legacy#expired-tokens).
var errExpired = errs.New(errs.Unauthenticated, credentials.CodeExpired, "The access token has expired.")

// PresentLegacyToken reads the token of the legacy interface that a request carries.
// Errors: CREDENTIAL_UNKNOWN.
func PresentLegacyToken(r *http.Request) (Presented, error) { return legacyToken.present(r) }

// LegacyToken lets requests pass that carry a live token of the legacy interface.
// They are spent of the partner's hour, not of the account's budget
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
	shown, err := PresentLegacyToken(r)
	if err != nil {
		return nil, g.inVain(r, err)
	}
	asked := lookUp{gate: g, r: r}
	defer asked.end()
	record, err := g.Verifier.Verify(r.Context(), shown.Kind, shown.Hash, asked.mayAsk)
	switch err = g.inVain(r, err); {
	case errs.HasCode(err, credentials.CodeExpired):
		return nil, errExpired
	case errs.HasCode(err, answer.CodeConnectionNotFound):
		return nil, legacyToken.invalid
	case err != nil:
		return nil, credentialError(err, legacyToken.invalid)
	}
	p, err := activePrincipal(r, record)
	if err != nil { // a suspended app sees its headers and spends nothing (behaviour: legacy#suspended-app)
		partners.Show(w, r, record.GetPrincipal().GetAppId())
		return nil, err
	}
	err = partners.Spend(w, r, p.GetAppId())
	if err != nil {
		chain.ExchangeOf(r.Context()).Limits.RefusedBy = limits.RefusedByPartner
	}
	return p, err
}
