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
	// againWithin is how soon a token must be introspected again to be worth a record. Writing
	// one costs as much as a response of auth, and it lives for ten seconds.
	againWithin = 2 * sessionrecord.WaitOut
)

// Reader answers introspection requests from session records.
type Reader struct {
	clock clock.Clock
	// accounts maps clients that have authenticated with a secret to their accounts. The
	// mapping never changes and grants nothing: it is only used to build keys in Redis.
	accounts *lru.Cache[credential.Digest, string]
	// missed has the tokens without a record, and when that was last found.
	missed *lru.Cache[credential.Digest, time.Time]
}

// New returns a Reader. c is used to check the expiry of records.
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
	// accountID is empty while the client's account, and so the Redis key, is not known.
	accountID string
}

// Question returns the Question of a client about a token. It is zero for public clients, which
// have no secret, and refresh tokens, which have no record: auth answers those.
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

// Of reports whether q is about this client, secret and token. Records are read before the
// request is validated, so the validated request must be the same.
func (q Question) Of(clientID string, secret *string, token string) bool {
	return secret != nil && q.clientID == clientID && q.secret == *secret && q.presented == token
}

// Lookup names the records of the client and the token, under the client's account. A token of
// another account has no record there.
func (q Question) Lookup() limits.Lookup {
	if q.accountID == "" {
		return limits.Lookup{}
	}
	return limits.Lookup{AccountID: q.accountID, Hashes: []credential.Digest{q.client, q.token}}
}

// Answer returns both records if they prove that the token is live and belongs to the client's
// app. Otherwise it returns nil, and auth must be asked.
func (r *Reader) Answer(q Question, found limits.Found) (client, token *authv1.SessionRecord) {
	client, token = r.records(q, found)
	if client == nil || token == nil || token.GetPrincipal().GetAppId() != client.GetPrincipal().GetAppId() {
		return nil, nil
	}
	return client, token
}

// records returns the records that are live.
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

// live reports whether the record exists, has the kind and the account, is not of a suspended
// account, and has not expired.
func (r *Reader) live(q Question, record *authv1.SessionRecord, kind identityv1.CredentialKind) bool {
	p := record.GetPrincipal()
	if p.GetKind() != kind || p.GetAccountId() != q.accountID || p.GetAppId() == "" || record.GetAccountSuspended() {
		return false
	}
	end := record.GetExpiresAt()
	return end == nil || r.clock.Now().Before(end.AsTime().Truncate(time.Microsecond))
}

// ShouldRecord reports which records auth should write when it answers: missing ones, and for a
// token only if it is introspected repeatedly.
func (r *Reader) ShouldRecord(q Question, found limits.Found) (client, token bool) {
	if len(found) == 0 { // Redis does not answer, or the account is not known yet
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

// Learn stores the account of a client that auth has just authenticated.
func (r *Reader) Learn(q Question, accountID string) {
	if q.clientID != "" && accountID != "" && q.accountID == "" {
		r.accounts.Put(q.client, accountID)
	}
}
