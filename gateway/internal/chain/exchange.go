package chain

import (
	"context"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/answer"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Exchange is what the chain knows of one request. The router fills in the rest.
type Exchange struct {
	// ClientIP is the address of the client, as far as trusted proxies tell.
	ClientIP string
	// Route is the template of the matched route, for logs and metrics.
	Route string
	// Fail answers with an error in the shape of the route.
	Fail answer.ErrorWriter
	// Caller is on whose account the request is; zero while no credential was
	// accepted as live. A suspended account's is known too.
	Caller Caller
	// SpentAt is when the request was spent of the account's budget, by the clock that
	// counts the budget; zero if it was not.
	SpentAt time.Time
}

// Caller is who stands behind a live credential.
type Caller struct {
	// AccountID and AppID own the credential.
	AccountID, AppID string
	// APIKeyID is empty for a user's token and a CV link, ConnectionID for a key.
	APIKeyID, ConnectionID string
}

// CallerOf gives who stands behind the principal of a live credential.
func CallerOf(p *identityv1.Principal) Caller {
	return Caller{AccountID: p.GetAccountId(), AppID: p.GetAppId(), APIKeyID: p.GetApiKeyId(), ConnectionID: p.GetConnectionId()}
}

// unmatched is the route of requests that match none; their paths are the
// client's and have no place in a metric.
const unmatched = "(none)"

type exchangeKey struct{}

// ExchangeOf gives the Exchange of a request that Outer has let in.
func ExchangeOf(ctx context.Context) *Exchange {
	e, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return e
}

// ClientIP is the address of the client of a request that Outer has let in.
func ClientIP(r *http.Request) string { return ExchangeOf(r.Context()).ClientIP }

// Fail answers the request with err in the shape of its route.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	ExchangeOf(r.Context()).Fail(w, r, err)
}
