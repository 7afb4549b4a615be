package admission

import (
	"context"
	"errors"
	"net/http"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Verifier says whether a credential is live; internal/credentials is one.
type Verifier interface {
	// Admit also spends of the account's budget and the surface's tier.
	Admit(ctx context.Context, kind identityv1.CredentialKind, hash sessionrecord.Hash) (limits.Decision, error)
	// Verify spends nothing.
	Verify(ctx context.Context, kind identityv1.CredentialKind, hash sessionrecord.Hash) (*authv1.SessionRecord, error)
}

// Presented is a credential as a request presents it.
type Presented struct {
	Kind identityv1.CredentialKind
	Hash sessionrecord.Hash
}

// Gate admits requests to the resources under /v1.
type Gate struct {
	// Verifier knows which credentials live.
	Verifier Verifier
	// Links signs the durable links that principals carry, and checks them.
	Links *cvlink.Signer
	// OpenLink limits who opens durable links, by address.
	OpenLink Surface
}

// UserToken admits requests with a user access token that holds the scope.
func (g Gate) UserToken(scope string, next http.Handler) http.Handler {
	return g.bearer(userToken, scope, next)
}

// APIKey admits requests with an API key that holds the scope.
func (g Gate) APIKey(scope string, next http.Handler) http.Handler {
	return g.bearer(apiKey, scope, next)
}

func (g Gate) bearer(s scheme, scope string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Vary", "Authorization")
		p, err := g.bearerPrincipal(w, r, s)
		if err == nil {
			p, err = scoped(p, scope)
		}
		if err != nil {
			if errs.HasCode(err, answer.CodeOAuthScope) || errs.HasCode(err, answer.CodeAPIKeyScope) {
				w.Header().Set("WWW-Authenticate", "Bearer "+answer.Realm+`, error="insufficient_scope", scope="`+scope+`"`)
			}
			chain.Fail(w, r, err)
			return
		}
		if p.GetCvLinkId() != "" {
			p.CvLinkUrl = g.Links.URL(p.GetCvLinkId())
		}
		next.ServeHTTP(w, r.WithContext(principal.NewContext(r.Context(), p)))
	})
}

// bearerPrincipal takes the steps of decision 1 from the credential to the limits.
// Every answer to a known account says what is left of its budget.
func (g Gate) bearerPrincipal(w http.ResponseWriter, r *http.Request, s scheme) (*identityv1.Principal, error) {
	shown, err := s.present(r)
	if err != nil {
		return nil, err
	}
	decision, err := g.Verifier.Admit(r.Context(), shown.Kind, shown.Hash)
	if err != nil {
		return nil, refusal(err, s.dead)
	}
	decision.Budget.SetHeaders(w.Header())
	p, err := holder(r, decision.Record)
	if err != nil {
		return nil, err
	}
	if decision.Outcome == limits.Admitted {
		chain.ExchangeOf(r.Context()).SpentAt = time.UnixMicro(decision.Budget.Now)
	}
	return p, decision.Refusal
}

// CVLink admits requests whose path value "token" is a live durable link. A link
// that is dead for whatever reason is not found (spec: User resources). Whoever
// guesses at links spends of the address's tier too.
func (g Gate) CVLink(scope string, next http.Handler) http.Handler {
	return g.OpenLink.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := g.linkPrincipal(r)
		if err == nil {
			p, err = scoped(p, scope)
		}
		if err != nil {
			chain.Fail(w, r, LinkNotFound(err))
			return
		}
		next.ServeHTTP(w, r.WithContext(principal.NewContext(r.Context(), p)))
	}))
}

func (g Gate) linkPrincipal(r *http.Request) (*identityv1.Principal, error) {
	shown, err := g.linkToken(r)
	if err != nil {
		return nil, err
	}
	record, err := g.Verifier.Verify(r.Context(), shown.Kind, shown.Hash)
	if err != nil {
		return nil, refusal(err, errBadLink)
	}
	return holder(r, record)
}

// holder notes on whose account the request is, and refuses a suspended one.
func holder(r *http.Request, record *authv1.SessionRecord) (*identityv1.Principal, error) {
	chain.ExchangeOf(r.Context()).Caller = chain.CallerOf(record.GetPrincipal())
	if record.GetAccountSuspended() {
		return nil, Suspended()
	}
	return record.GetPrincipal(), nil
}

// Suspended is the error for a request on a suspended account.
func Suspended() error {
	return errs.New(errs.Denied, answer.CodeAccountSuspended, "The developer account of this app is suspended.")
}

// scoped gives a copy of a principal that holds the scope.
func scoped(p *identityv1.Principal, scope string) (*identityv1.Principal, error) {
	if !principal.HasScope(p, scope) {
		return nil, principal.InsufficientScope(p.GetKind(), scope)
	}
	return proto.CloneOf(p), nil
}

// refusal says in the words of the interface what Verify says of a credential.
// Anything but those two is about us, not about the credential.
func refusal(err, dead error) error {
	if errs.KindOf(err) == errs.Unauthenticated {
		return dead
	}
	if errs.HasCode(err, answer.CodeConnectionNotFound) {
		return errs.New(errs.NotFound, answer.CodeConnectionNotFound, "The connection behind this token is gone.")
	}
	return err
}

// linkToken reads the credential of a durable link. The signature is checked
// before anything is looked up.
func (g Gate) linkToken(r *http.Request) (Presented, error) {
	linkID, ok := g.Links.Verify(r.PathValue("token"))
	if !ok {
		return Presented{}, errBadLink
	}
	return Presented{Kind: identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK, Hash: credential.Hash(linkID)}, nil
}

var errBadLink = errors.New("the link's token is not one of ours")

// LinkNotFound turns every error that says the link opens nothing into the one
// that its holder may see, so that nobody learns why.
func LinkNotFound(err error) error {
	e, known := errs.As(err)
	dead := errors.Is(err, errBadLink)
	if known {
		switch e.Code {
		case answer.CodeOAuthToken, answer.CodeOAuthScope, answer.CodeConnectionNotFound, answer.CodeCVNotFound:
			dead = true
		}
	}
	if !dead {
		return err
	}
	return errs.New(errs.NotFound, answer.CodeCVLinkNotFound, "This link does not exist or is no longer valid.")
}
