package introspection

import (
	"errors"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/lru"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

const (
	// clientCount limits the memory of Reader.accounts to about 4 MB.
	clientCount = 20_000
	// tokenCount limits the memory of Reader.missed to about 2 MB.
	tokenCount = 10_000
	// againWithin is the maximum time between two introspections of a token at which writing a record for it
	// is worthwhile. Writing a record costs as much as a response from the auth service, and a record lives
	// for only ten seconds.
	againWithin = 2 * sessionrecord.WaitOut
)

// Reader introspects tokens from session records.
type Reader struct {
	clock clock.Clock
	// accounts maps clients that have authenticated with a secret to their accounts. The mapping never changes
	// and grants nothing: it is only used to build Redis keys.
	accounts *lru.Cache[credential.Digest, string]
	// missed holds tokens that had no record, with the time of the last failed look-up.
	missed *lru.Cache[credential.Digest, time.Time]
}

// New returns a Reader. c determines whether records have expired.
func New(c clock.Clock) (*Reader, error) {
	if c == nil {
		return nil, errors.New("introspection: Clock is required")
	}
	return &Reader{
		clock: c, accounts: lru.New[credential.Digest, string](clientCount), missed: lru.New[credential.Digest, time.Time](tokenCount),
	}, nil
}

// Question is a client's introspection request. No record can answer the zero Question.
type Question struct {
	clientID, secret, presented string

	client, token credential.Digest
	// accountID is empty until the client's account, and therefore the Redis key, is known.
	accountID string
}

// Question returns a client's Question about a token. For public clients, which have no secret, and for
// refresh tokens, which have no record, it returns the zero Question, and the auth service must be called.
func (r *Reader) Question(clientID string, secret *string, token string) Question {
	if clientID == "" || secret == nil || *secret == "" || !credential.WellFormed(credential.AccessToken, token) {
		return Question{}
	}
	q := Question{
		clientID: clientID, secret: *secret, presented: token,
		client: credential.ClientDigest(clientID, credential.Hash(*secret)), token: credential.Hash(token),
	}
	q.accountID, _ = r.accounts.Get(q.client)
	return q
}

// Of reports whether q is about this client, secret and token. Records are read before the request is
// validated, so Of must confirm that the validated request is the same.
func (q Question) Of(clientID string, secret *string, token string) bool {
	return secret != nil && q.clientID == clientID && q.secret == *secret && q.presented == token
}

// Lookup returns the records to read for the client and the token, in the client's account. A token of a
// different account has no record there.
func (q Question) Lookup() limits.Lookup {
	if q.accountID == "" {
		return limits.Lookup{}
	}
	return limits.Lookup{AccountID: q.accountID, Hashes: []credential.Digest{q.client, q.token}}
}

// Answer returns both records if they prove that the token is live and belongs to the client's app. Otherwise
// it returns nil, and the caller must call the auth service.
func (r *Reader) Answer(q Question, found limits.Found) (client, token *authv1.SessionRecord) {
	client, token = r.records(q, found)
	if client == nil || token == nil || token.GetPrincipal().GetAppId() != client.GetPrincipal().GetAppId() {
		return nil, nil
	}
	return client, token
}

// records returns the records that are live, with nil in place of the others.
func (r *Reader) records(q Question, found limits.Found) (client, token *authv1.SessionRecord) {
	if len(found) != 2 {
		return nil, nil
	}
	if r.live(q, found[0], identityv1.CredentialKind_CREDENTIAL_KIND_CLIENT_SECRET) {
		client = found[0]
	}
	if r.live(q, found[1], identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN) {
		token = found[1]
	}
	return client, token
}

// live reports whether record exists, is of the given kind, belongs to the question's account, and has not
// expired. It returns false for suspended accounts.
func (r *Reader) live(q Question, record *authv1.SessionRecord, kind identityv1.CredentialKind) bool {
	p := record.GetPrincipal()
	if p.GetKind() != kind || p.GetAccountId() != q.accountID || p.GetAppId() == "" || record.GetAccountSuspended() {
		return false
	}
	end := record.GetExpiresAt()
	return end == nil || r.clock.Now().Before(end.AsTime().Truncate(time.Microsecond))
}

// ShouldRecord reports which missing records the auth service should write when it responds. It reports
// the token's record only if the token is introspected repeatedly.
func (r *Reader) ShouldRecord(q Question, found limits.Found) (client, token bool) {
	if len(found) == 0 { // Redis does not respond, or the account is not known yet
		return false, false
	}
	held, described := r.records(q, found)
	if described == nil {
		now := r.clock.Now()
		before, missed := r.missed.Get(q.token)
		r.missed.Put(q.token, now)
		token = missed && now.Sub(before) < againWithin
	}
	return held == nil, token
}

// Learn stores the account of a client that the auth service has just authenticated.
func (r *Reader) Learn(q Question, accountID string) {
	if q.clientID != "" && accountID != "" && q.accountID == "" {
		r.accounts.Put(q.client, accountID)
	}
}
