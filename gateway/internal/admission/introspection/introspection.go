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
	// clientCount bounds the memory of the accounts of clients, to about 4 MB.
	clientCount = 20_000
	// tokenCount bounds the memory of tokens that were asked about, to about 2 MB.
	tokenCount = 10_000
	// againWithin is how soon a token must be asked about again for its record to be worth
	// its cost: a fill costs as much as an answer, and the record lives for ten seconds.
	againWithin = 2 * sessionrecord.WaitOut
)

// Reader answers from records. It is made by New.
type Reader struct {
	clock clock.Clock
	// accounts has the account of each client that has authenticated with a secret. It
	// never changes, and it grants nothing: it only names keys in Redis.
	accounts *lru.Cache[credential.Digest, string]
	// missed has tokens that had no record, and when.
	missed *lru.Cache[credential.Digest, time.Time]
}

// New makes a Reader. The clock tells whether what a record is about has expired.
func New(c clock.Clock) (*Reader, error) {
	if c == nil {
		return nil, errors.New("introspection: Clock is required")
	}
	return &Reader{
		clock: c, accounts: lru.New[credential.Digest, string](clientCount), missed: lru.New[credential.Digest, time.Time](tokenCount),
	}, nil
}

// Question is what a client asks. The zero Question is one that no record can answer.
type Question struct {
	clientID, secret, presented string

	client, token credential.Digest
	// accountID is empty while it is not known where records would lie.
	accountID string
}

// Question makes the question of a client about a token. A public client has no secret, and
// a refresh token has no record: auth is asked about both.
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

// Of reports whether it is the question of the client about the token. What was read before
// the request was checked is for what it claimed then.
func (q Question) Of(clientID string, secret *string, token string) bool {
	return secret != nil && q.clientID == clientID && q.secret == *secret && q.presented == token
}

// Look names the records of the client and of the token. A token of another account has none
// there.
func (q Question) Look() limits.Look {
	if q.accountID == "" {
		return limits.Look{}
	}
	return limits.Look{AccountID: q.accountID, Hashes: []credential.Digest{q.client, q.token}}
}

// Answer gives the record of the token, and that of the client, if by both the token lives
// and is the client's own. Otherwise it gives nil, which says nothing.
func (r *Reader) Answer(q Question, found limits.Found) (client, token *authv1.SessionRecord) {
	client, token = r.records(q, found)
	if client == nil || token == nil || token.GetPrincipal().GetAppId() != client.GetPrincipal().GetAppId() {
		return nil, nil
	}
	return client, token
}

// records gives those that may be acted on.
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

// live reports whether a record is there, of the kind, of an app of the account that is not
// suspended, and by this clock not past its end.
func (r *Reader) live(q Question, record *authv1.SessionRecord, kind identityv1.CredentialKind) bool {
	p := record.GetPrincipal()
	if p.GetKind() != kind || p.GetAccountId() != q.accountID || p.GetAppId() == "" || record.GetAccountSuspended() {
		return false
	}
	end := record.GetExpiresAt()
	return end == nil || r.clock.Now().Before(end.AsTime().Truncate(time.Microsecond))
}

// Leave says of what auth is asked to leave a record, when it is asked: of what has none,
// and of a token only if it is asked about again and again.
func (r *Reader) Leave(q Question, found limits.Found) (client, token bool) {
	if len(found) == 0 { // Redis does not answer, or nobody knows yet where to look
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

// Learn remembers the account of a client that auth has just found to have authenticated.
func (r *Reader) Learn(q Question, accountID string) {
	if q.clientID != "" && accountID != "" && q.accountID == "" {
		r.accounts.Put(q.client, accountID)
	}
}
