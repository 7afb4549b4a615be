package chain

import (
	"context"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/answer"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Exchange collects facts about one request for logs, metrics and usage. The router and the handlers fill it
// in.
type Exchange struct {
	// ClientIP is the client's IP address. Trusted proxies are taken into account.
	ClientIP string
	// Route is the template of the matched route, for logs and metrics.
	Route string
	// Reads is the matched route's Reads field.
	Reads string
	// Fail writes an error in the format of the route.
	Fail answer.ErrorWriter
	// Caller is the owner of the credential. It is zero until the credential is known to be live. It is set
	// even if the account is suspended.
	Caller Caller
	// ChargedAt is the time at which the request was charged to the account's budget, on the budget's
	// clock. It is zero if the request was not charged.
	ChargedAt time.Time
	// Reported is the error that the client received, or zero if there was none.
	Reported answer.Reported
	// ResourceID is the id in the path, or "" if the path has no valid id.
	ResourceID string
	// Limits describes whether the account's limits allowed the request.
	Limits LimitState

	// listener is the listener's name.
	listener string
	// memory is charged for the bytes that the request holds until the response has been written.
	memory *Memory
	held   int64
}

// LimitState describes whether the limits of an account allowed a request.
type LimitState struct {
	// Known is true if the account's budget was read. MinuteLeft and DayLeft are the numbers of requests that
	// remain after this one.
	Known               bool
	MinuteLeft, DayLeft int32
	// RefusedBy is the name of the limit that rejected the request (behaviour: usage#refusals).
	RefusedBy string
}

// Caller identifies the owner of a live credential. APIKeyID is empty for a token or a link. ConnectionID is
// empty for a key.
type Caller struct{ AccountID, AppID, APIKeyID, ConnectionID string }

// CallerOf returns the Caller that p identifies.
func CallerOf(p *identityv1.Principal) Caller {
	return Caller{AccountID: p.GetAccountId(), AppID: p.GetAppId(), APIKeyID: p.GetApiKeyId(), ConnectionID: p.GetConnectionId()}
}

// unmatched is the route label of requests that match no route. Clients choose those paths, so they must not
// become metric labels.
const unmatched = "(none)"

type exchangeKey struct{}

// ExchangeOf returns the Exchange in ctx.
func ExchangeOf(ctx context.Context) *Exchange {
	e, _ := ctx.Value(exchangeKey{}).(*Exchange)
	return e
}

// ClientIP returns the client's IP address, taking trusted proxies into account.
func ClientIP(r *http.Request) string { return ExchangeOf(r.Context()).ClientIP }

// Fail writes err in the format of the request's route.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	ExchangeOf(r.Context()).Fail(w, r, err)
}
