package admission

import (
	"errors"
	"net/http"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/lru"
	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Presented is the credential sent with a request.
type Presented struct {
	Kind identityv1.CredentialKind
	Hash credential.Digest
}

// Gate authenticates requests to a listener.
type Gate struct {
	Shared
	slots *addressSlots
	// signed caches the results of sign, keyed by the principal of a session record.
	signed *lru.Cache[*identityv1.Principal, *identityv1.Principal]
}

// signedCount is the maximum size of Gate.signed, which limits its memory to about 8 MB.
const signedCount = 4096

// NewGate returns a Gate. It returns an error if a dependency is missing.
func NewGate(s Shared) (Gate, error) {
	if s.Verifier == nil || s.Addresses == nil || s.Limiter == nil {
		return Gate{}, errors.New("admission: a gate needs Verifier, Addresses and Limiter")
	}
	return Gate{
		Shared: s, slots: newAddressSlots(s.madeUp().Tier), signed: lru.New[*identityv1.Principal, *identityv1.Principal](signedCount),
	}, nil
}

// LinkGate authenticates requests by the durable link in their path.
type LinkGate struct {
	Gate
	open Surface
}

// NewLinkGate returns a LinkGate. open limits requests for durable links per IP address.
func NewLinkGate(g Gate, open Surface) (LinkGate, error) {
	if g.Verifier == nil || open.Limiter == nil {
		return LinkGate{}, errors.New("admission: a LinkGate needs a Gate and a limit")
	}
	return LinkGate{g, open}, nil
}

// UserToken requires a live access token that has the scope.
func (g Gate) UserToken(scope string, next http.Handler) http.Handler {
	return g.bearer(userToken, scope, next)
}

// APIKey requires a live API key that has the scope.
func (g Gate) APIKey(scope string, next http.Handler) http.Handler {
	return g.bearer(apiKey, scope, next)
}

func (g Gate) bearer(s scheme, scope string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Vary", "Authorization")
		p, err := g.bearerPrincipal(w, r, s)
		if err == nil {
			err = requireScope(p, scope)
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

// sign returns a copy of p that contains the URLs that only the gateway can sign. Requests share the result,
// just as they share p.
func (g Gate) sign(p *identityv1.Principal) *identityv1.Principal {
	if signed, ok := g.signed.Get(p); ok {
		return signed
	}
	signed := Signed(p, g.Addresses)
	g.signed.Put(p, signed)
	return signed
}

// Signed returns a copy of p with signed URLs for its durable link and its photo.
func Signed(p *identityv1.Principal, addresses *signedurl.Signer) *identityv1.Principal {
	signed := proto.CloneOf(p)
	if p.GetCvLinkId() != "" {
		signed.CvLinkUrl = addresses.CVLink(p.GetCvLinkId())
	}
	if p.GetSharePhoto() && p.GetConnectionId() != "" {
		signed.PhotoUrl = addresses.ConsentPhoto(p.GetConnectionId(), p.GetPhotoVersion())
	}
	return signed
}

// bearerPrincipal checks the credential, the account and the limits, in this order
// (behaviour: errors#order-of-checks). The caller then checks the scope. Once the account is known,
// bearerPrincipal sets the budget headers (behaviour: limits#budget-headers).
func (g Gate) bearerPrincipal(w http.ResponseWriter, r *http.Request, s scheme) (*identityv1.Principal, error) {
	presented, err := s.present(r)
	if err != nil {
		return nil, g.chargeMadeUp(r, err)
	}
	guard := authGuard{gate: g, r: r}
	defer guard.release()
	decision, err := g.Verifier.Admit(r.Context(), presented.Kind, presented.Hash, guard.mayAsk)
	if err != nil {
		return nil, credentialError(g.chargeMadeUp(r, err), s.invalid)
	}
	decision.Budget.SetHeaders(w.Header())
	chain.ExchangeOf(r.Context()).Limits = limitState(decision, s.surface)
	p, err := activePrincipal(r, decision.Record)
	if err != nil {
		return nil, err
	}
	if decision.Outcome == limits.Admitted {
		chain.ExchangeOf(r.Context()).ChargedAt = time.UnixMicro(decision.Budget.Now)
	}
	return p, decision.Refusal
}

// limitState converts a decision to the form that the request log uses (behaviour: usage#refusals).
func limitState(d limits.Decision, surface string) chain.LimitState {
	minute, day := d.Budget.Left()
	return chain.LimitState{Known: true, MinuteLeft: minute, DayLeft: day, RefusedBy: d.RefusedBy(surface)}
}

// CVLink requires a live durable link in the path value "token". All dead links get the same 404
// (behaviour: durable-links#when-a-link-ends). Each attempt is charged to the client's IP address, which slows
// down guessing.
func (g LinkGate) CVLink(scope string, next http.Handler) http.Handler {
	return g.open.Limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := g.linkPrincipal(r)
		if err == nil {
			err = requireScope(p, scope)
		}
		if err != nil {
			chain.Fail(w, r, LinkNotFound(err))
			return
		}
		next.ServeHTTP(w, r.WithContext(principal.NewContext(r.Context(), g.sign(p))))
	}))
}

func (g LinkGate) linkPrincipal(r *http.Request) (*identityv1.Principal, error) {
	presented, err := g.linkToken(r)
	if err != nil {
		return nil, err
	}
	// Calls to the auth service need no limit here, because the token is signed and the request has already
	// counted against the limit of open.
	record, err := g.Verifier.Verify(r.Context(), presented.Kind, presented.Hash, nil)
	if err != nil {
		return nil, credentialError(err, errBadLink)
	}
	return activePrincipal(r, record)
}

// authGuard limits calls to the auth service about credentials that this replica has never seen
// live.
type authGuard struct {
	gate Gate
	r    *http.Request
	done func()
}

// mayAsk takes a slot. It rejects IP addresses that have sent too many credentials that were never issued. It
// returns RATE_LIMIT_EXCEEDED or UNAVAILABLE.
func (a *authGuard) mayAsk() (err error) {
	var others int
	if a.done, others, err = a.gate.slots.acquire(a.r.Context(), chain.Network(chain.ClientIP(a.r))); err != nil {
		return err
	}
	return a.gate.madeUp().Check(a.r, others)
}

// release frees the slot. Call it after the outcome has been counted.
func (a *authGuard) release() {
	if a.done != nil {
		a.done()
	}
}

// chargeMadeUp returns the error for the response. If the credential was never issued, it charges the
// client's IP address. Expired and revoked credentials are free, because apps learn from a 401 that a
// token has expired (behaviour: limits#unknown-credentials).
func (g Gate) chargeMadeUp(r *http.Request, err error) error {
	if errs.HasCode(err, credentials.CodeNotIssued) || errors.Is(err, errMalformed) {
		if over := g.madeUp().Charge(r); over != nil {
			return over
		}
	}
	return err
}

// activePrincipal records the caller for the log and the usage. It rejects suspended accounts.
func activePrincipal(r *http.Request, record *authv1.SessionRecord) (*identityv1.Principal, error) {
	chain.ExchangeOf(r.Context()).Caller = chain.CallerOf(record.GetPrincipal())
	if record.GetAccountSuspended() {
		return nil, Suspended()
	}
	return record.GetPrincipal(), nil
}

// Suspended returns the error for a request from a suspended account.
func Suspended() error {
	return errs.New(errs.Denied, answer.CodeAccountSuspended, "The developer account of this app is suspended.")
}

func requireScope(p *identityv1.Principal, scope string) error {
	if !principal.HasScope(p, scope) {
		return principal.InsufficientScope(p.GetKind(), scope)
	}
	return nil
}

// credentialError converts an error from Verify to the error for the client. It returns dead if the credential
// is not live. Other errors, such as UNAVAILABLE, are returned unchanged.
func credentialError(err, dead error) error {
	if errs.KindOf(err) == errs.Unauthenticated {
		return dead
	}
	if errs.HasCode(err, answer.CodeConnectionNotFound) {
		return errs.New(errs.NotFound, answer.CodeConnectionNotFound, "The connection behind this token is gone.")
	}
	return err
}

// linkToken reads the token of a durable link and verifies its signature
// (behaviour: durable-links#token-verification).
func (g LinkGate) linkToken(r *http.Request) (Presented, error) {
	linkID, ok := g.Addresses.VerifyCVLink(r.PathValue("token"))
	if !ok {
		return Presented{}, errBadLink
	}
	return Presented{Kind: identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK, Hash: credential.Hash(linkID)}, nil
}

var errBadLink = errors.New("the link's token has no valid signature")

// LinkNotFound replaces every error about a dead link with a single error that does not reveal why the
// link is dead.
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
