package chain

import (
	"context"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/answer"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Exchange is what the chain knows about one request. The router and the handlers
// fill it in.
type Exchange struct {
	// ClientIP is the address of the client, according to the trusted proxies.
	ClientIP string
	// Route is the template of the matched route, for logs and metrics.
	Route string
	// Fail answers with an error in the shape of the route.
	Fail answer.ErrorWriter
	// Caller is the owner of the credential. It is zero until a credential was found
	// live. It is set for a suspended account too.
	Caller Caller
	// SpentAt is when the request was spent of the account's budget, by the clock that
	// counts the budget. It is zero if the request was not spent.
	SpentAt time.Time
	// Said is the error that the client was answered with; zero for none.
	Said answer.Said
	// ResourceID is the id in the path, if the path holds one of Vitae's.
	ResourceID string
	// Limits is what the limits said of the request.
	Limits LimitState

	// listener is the name of the door.
	listener string
	// memory is what the request holds a part of, held how much of it in bytes.
	memory *Memory
	held   int64
}

// LimitState is what the limits said of a request of an account.
type LimitState struct {
	// Known is true if the account's budget was looked at. MinuteLeft and DayLeft are the
	// requests that were left of it afterwards.
	Known               bool
	MinuteLeft, DayLeft int32
	// RefusedBy is the limit that refused (behaviour: usage#refusals); empty if none did.
	RefusedBy string
}

// Caller identifies the owner of a live credential.
type Caller struct {
	// AccountID and AppID own the credential.
	AccountID, AppID string
	// APIKeyID is empty for a user's token and a CV link; ConnectionID is empty for a
	// key.
	APIKeyID, ConnectionID string
}

// CallerOf returns the caller of a principal.
func CallerOf(p *identityv1.Principal) Caller {
	return Caller{AccountID: p.GetAccountId(), AppID: p.GetAppId(), APIKeyID: p.GetApiKeyId(), ConnectionID: p.GetConnectionId()}
}

// unmatched is the route of a request that matches none. Its path is chosen by the
// client, so it must not become a label of a metric.
const unmatched = "(none)"

type exchangeKey struct{}

// ExchangeOf returns the Exchange of a request that has passed the chain.
func ExchangeOf(ctx context.Context) *Exchange {
	e, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return e
}

// ClientIP returns the client's address of a request that has passed the chain.
func ClientIP(r *http.Request) string { return ExchangeOf(r.Context()).ClientIP }

// Fail answers the request with err in the shape of its route.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	ExchangeOf(r.Context()).Fail(w, r, err)
}
