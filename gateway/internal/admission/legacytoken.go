package admission

import (
	"net/http"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// legacyToken is a token of the older interface. Its errors have the codes of
// package credentials, which that interface says in its own words.
var legacyToken = func() scheme {
	s := newScheme(credential.AccessToken, identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN,
		credentials.CodeUnknown, "access token", credential.APIKey, "API key")
	s.dead = errs.New(errs.Unauthenticated, credentials.CodeUnknown, "The access token is unknown or revoked.")
	return s
}()

// errExpired is what one is told that has only expired (decision 44).
var errExpired = errs.New(errs.Unauthenticated, credentials.CodeExpired, "The access token has expired.")

// PresentLegacyToken reads the token of the older interface that a request
// carries. Errors: CREDENTIAL_UNKNOWN.
func PresentLegacyToken(r *http.Request) (Presented, error) { return legacyToken.present(r) }

// LegacyToken admits requests with a live token of the older interface, and spends
// of its partner's hour, not of the account's budget: that is for /v1.
func (g Gate) LegacyToken(partners Partners, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Vary", "Authorization")
		p, err := g.legacyPrincipal(w, r, partners)
		if err != nil {
			chain.Fail(w, r, err)
			return
		}
		if p.GetCvLinkId() != "" {
			p.CvLinkUrl = g.Links.URL(p.GetCvLinkId())
		}
		next.ServeHTTP(w, r.WithContext(principal.NewContext(r.Context(), p)))
	})
}

func (g Gate) legacyPrincipal(w http.ResponseWriter, r *http.Request, partners Partners) (*identityv1.Principal, error) {
	shown, err := PresentLegacyToken(r)
	if err != nil {
		return nil, err
	}
	record, err := g.Verifier.Verify(r.Context(), shown.Kind, shown.Hash)
	switch {
	case errs.HasCode(err, credentials.CodeExpired):
		return nil, errExpired
	case errs.HasCode(err, answer.CodeConnectionNotFound):
		return nil, legacyToken.dead
	case err != nil:
		return nil, refusal(err, legacyToken.dead)
	}
	p, err := holder(r, record)
	if err != nil { // a suspended account sees what it has, and spends nothing
		partners.Show(w, r, record.GetPrincipal().GetAppId())
		return nil, err
	}
	return proto.CloneOf(p), partners.Spend(w, r, p.GetAppId())
}
