package admission

import (
	"context"
	"errors"
	"net/http"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/lru"
	"vitae.internal/gateway/internal/admission/photolink"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Verifier tells whether a credential is live. credentials.Verifier implements it.
type Verifier interface {
	// Admit also spends a request of the account's budget and of the surface's tier.
	Admit(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest, mayAsk credentials.MayAsk) (limits.Decision, error)
	// Verify spends nothing.
	Verify(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest, mayAsk credentials.MayAsk) (*authv1.SessionRecord, error)
}

// Presented is the credential that a request carries.
type Presented struct {
	Kind identityv1.CredentialKind
	Hash credential.Digest
}

// GateConfig is what a Gate needs. All of it is required.
type GateConfig struct {
	// Verifier tells which credentials are live.
	Verifier Verifier
	// Links checks durable links, and makes the link's URL for principals that have
	// one.
	Links *cvlink.Signer
	// Photos makes the address of the photo for principals that may see it.
	Photos *photolink.Signer
	// MadeUp limits by address how often credentials are presented that were never
	// issued (behaviour: limits#made-up-credentials).
	MadeUp Surface
}

// Gate checks the credential of each request at a door.
type Gate struct {
	GateConfig
	turns *turns
	// signed has principals with their addresses, by those of the records.
	signed *lru.Cache[*identityv1.Principal, *identityv1.Principal]
}

// signedCount bounds the memory of signed principals, to about 8 MB.
const signedCount = 4096

// NewGate makes a gate.
func NewGate(c GateConfig) (Gate, error) {
	if c.Verifier == nil || c.Links == nil || c.Photos == nil || c.MadeUp.Limiter == nil {
		return Gate{}, errors.New("admission: a gate needs Verifier, Links, Photos and MadeUp")
	}
	return Gate{
		GateConfig: c, turns: newTurns(c.MadeUp.Tier), signed: lru.New[*identityv1.Principal, *identityv1.Principal](signedCount),
	}, nil
}

// LinkGate checks the durable links that requests open.
type LinkGate struct {
	Gate
	// open limits by address how often durable links are opened.
	open Surface
}

// NewLinkGate makes a gate for durable links. open limits by address how often they
// are opened.
func NewLinkGate(g Gate, open Surface) (LinkGate, error) {
	if g.Verifier == nil || open.Limiter == nil {
		return LinkGate{}, errors.New("admission: a gate for links needs a gate and a limit of the links that are opened")
	}
	return LinkGate{g, open}, nil
}

// UserToken lets requests pass that carry a live user access token with the scope.
func (g Gate) UserToken(scope string, next http.Handler) http.Handler {
	return g.bearer(userToken, scope, next)
}

// APIKey lets requests pass that carry a live API key with the scope.
func (g Gate) APIKey(scope string, next http.Handler) http.Handler {
	return g.bearer(apiKey, scope, next)
}

func (g Gate) bearer(s scheme, scope string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Vary", "Authorization")
		p, err := g.bearerPrincipal(w, r, s)
		if err == nil {
			err = holds(p, scope)
		}
		if err != nil {
			if errs.HasCode(err, answer.CodeOAuthScope) || errs.HasCode(err, answer.CodeAPIKeyScope) {
				w.Header().Set("WWW-Authenticate", "Bearer "+answer.Realm+`, error="insufficient_scope", scope="`+scope+`"`)
			}
			Refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(principal.NewContext(r.Context(), g.sign(p))))
	})
}

// sign gives a principal with the addresses that only the gateway can make. p is that of a
// record, which many requests share while it lives; so is what sign gives.
func (g Gate) sign(p *identityv1.Principal) *identityv1.Principal {
	if signed, ok := g.signed.Get(p); ok {
		return signed
	}
	signed := Signed(p, g.Links, g.Photos)
	g.signed.Put(p, signed)
	return signed
}

// Signed gives a copy of a principal with the addresses of its durable link and its photo.
func Signed(p *identityv1.Principal, links *cvlink.Signer, photos *photolink.Signer) *identityv1.Principal {
	signed := proto.CloneOf(p)
	if p.GetCvLinkId() != "" {
		signed.CvLinkUrl = links.URL(p.GetCvLinkId())
	}
	if p.GetSharePhoto() && p.GetConnectionId() != "" {
		signed.PhotoUrl = photos.OfConsent(p.GetConnectionId(), p.GetPhotoVersion())
	}
	return signed
}

// bearerPrincipal checks the credential, then the account, then the limits
// (behaviour: errors#order-of-checks). The scope is next; the caller checks it.
// Every answer to a known account carries the headers of its budget
// (behaviour: limits#budget-headers).
func (g Gate) bearerPrincipal(w http.ResponseWriter, r *http.Request, s scheme) (*identityv1.Principal, error) {
	shown, err := s.present(r)
	if err != nil {
		return nil, g.inVain(r, err)
	}
	asked := lookUp{gate: g, r: r}
	defer asked.end()
	decision, err := g.Verifier.Admit(r.Context(), shown.Kind, shown.Hash, asked.mayAsk)
	if err != nil {
		return nil, credentialError(g.inVain(r, err), s.invalid)
	}
	decision.Budget.SetHeaders(w.Header())
	chain.ExchangeOf(r.Context()).Limits = limitState(decision, s.surface)
	p, err := activePrincipal(r, decision.Record)
	if err != nil {
		return nil, err
	}
	if decision.Outcome == limits.Admitted {
		chain.ExchangeOf(r.Context()).SpentAt = time.UnixMicro(decision.Budget.Now)
	}
	return p, decision.Refusal
}

// limitState is what the log says of a decision (behaviour: usage#refusals).
func limitState(d limits.Decision, surface string) chain.LimitState {
	minute, day := d.Budget.Left()
	return chain.LimitState{Known: true, MinuteLeft: minute, DayLeft: day, RefusedBy: d.RefusedBy(surface)}
}

// CVLink lets requests pass whose path value "token" is a live durable link. Every
// dead link is not found, whatever the reason
// (behaviour: durable-links#when-a-link-dies). Each attempt spends of the tier of
// its address, so that guessing links is slow.
func (g LinkGate) CVLink(scope string, next http.Handler) http.Handler {
	return g.open.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := g.linkPrincipal(r)
		if err == nil {
			err = holds(p, scope)
		}
		if err != nil {
			chain.Fail(w, r, LinkNotFound(err))
			return
		}
		next.ServeHTTP(w, r.WithContext(principal.NewContext(r.Context(), g.sign(p))))
	}))
}

func (g LinkGate) linkPrincipal(r *http.Request) (*identityv1.Principal, error) {
	shown, err := g.linkToken(r)
	if err != nil {
		return nil, err
	}
	// Only we can sign a link's token, and the address has spent of open.
	record, err := g.Verifier.Verify(r.Context(), shown.Kind, shown.Hash, nil)
	if err != nil {
		return nil, credentialError(err, errBadLink)
	}
	return activePrincipal(r, record)
}

// lookUp is a question to auth about a credential that this replica has not seen live.
type lookUp struct {
	gate Gate
	r    *http.Request
	done func()
}

// mayAsk keeps an address that has made up too many credentials from having more of
// them looked up. Errors: RATE_LIMIT_EXCEEDED, UNAVAILABLE.
func (l *lookUp) mayAsk() (err error) {
	var others int
	if l.done, others, err = l.gate.turns.take(l.r.Context(), chain.Network(chain.ClientIP(l.r))); err != nil {
		return err
	}
	return l.gate.MadeUp.Left(l.r, others)
}

// end ends the turn, once the outcome is counted.
func (l *lookUp) end() {
	if l.done != nil {
		l.done()
	}
}

// inVain spends a credential that was never issued of the address, and returns the
// error for the answer. A credential that was issued once spends nothing: apps learn
// from a 401 that a token has expired (behaviour: limits#made-up-credentials).
func (g Gate) inVain(r *http.Request, err error) error {
	if errs.HasCode(err, credentials.CodeNotIssued) || errors.Is(err, errMalformed) {
		if over := g.MadeUp.Spend(r); over != nil {
			return over
		}
	}
	return err
}

// activePrincipal notes the caller for log and usage, and refuses a suspended
// account.
func activePrincipal(r *http.Request, record *authv1.SessionRecord) (*identityv1.Principal, error) {
	chain.ExchangeOf(r.Context()).Caller = chain.CallerOf(record.GetPrincipal())
	if record.GetAccountSuspended() {
		return nil, Suspended()
	}
	return record.GetPrincipal(), nil
}

// Suspended is the error for a request of a suspended account.
func Suspended() error {
	return errs.New(errs.Denied, answer.CodeAccountSuspended, "The developer account of this app is suspended.")
}

// holds refuses a principal without the scope.
func holds(p *identityv1.Principal, scope string) error {
	if !principal.HasScope(p, scope) {
		return principal.InsufficientScope(p.GetKind(), scope)
	}
	return nil
}

// credentialError turns an error of Verify into the error for the client; dead is
// the error for a credential that is not live. Any other error is passed on, because
// it says nothing about the credential.
func credentialError(err, dead error) error {
	if errs.KindOf(err) == errs.Unauthenticated {
		return dead
	}
	if errs.HasCode(err, answer.CodeConnectionNotFound) {
		return errs.New(errs.NotFound, answer.CodeConnectionNotFound, "The connection behind this token is gone.")
	}
	return err
}

// linkToken reads the token of a durable link. It checks the signature before any
// look-up (behaviour: durable-links#the-token-is-checked-first).
func (g LinkGate) linkToken(r *http.Request) (Presented, error) {
	linkID, ok := g.Links.Verify(r.PathValue("token"))
	if !ok {
		return Presented{}, errBadLink
	}
	return Presented{Kind: identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK, Hash: credential.Hash(linkID)}, nil
}

var errBadLink = errors.New("the link's token is not one of ours")

// LinkNotFound replaces every error that means "this link opens nothing" by one
// error, so that the holder of a dead link does not learn why it is dead.
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
