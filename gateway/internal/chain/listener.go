package chain

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/sessionrecord"
)

// Config holds the settings that all listeners share. Log, Usage and MaxInFlight are required.
type Config struct {
	// Log receives one line per request.
	Log *slog.Logger
	// Proxies holds the peers whose X-Forwarded-For is trusted.
	Proxies Proxies
	// Usage receives a record of each request on behalf of a known account.
	Usage Usage
	// PlatformOn is false while the developer platform is off. Listeners without WhilePlatformOff then respond
	// with 404 (behaviour: errors#platform-off).
	PlatformOn bool
	// MaxInFlight is the maximum number of concurrent requests per listener.
	MaxInFlight int
	// Memory limits the memory for large requests and responses on all listeners. Nil means no
	// limit.
	Memory *Memory
}

// Listener describes an address on which the gateway serves one interface. It has either a table of routes or a
// handler that routes requests itself.
type Listener struct {
	// Name identifies the listener in logs and metrics.
	Name string
	// Headers holds the headers that are set on every response.
	Headers http.Header
	// Fail writes the response to requests that match no route.
	Fail   answer.ErrorWriter
	Routes []Route
	// Handler replaces Routes. It must set Exchange.Route. If it has a method Served, the metrics of its routes
	// exist before their first request.
	Handler http.Handler
	// WhilePlatformOff passes requests to Handler while the developer platform is off. Handler must then
	// respond with 404 for the routes of the platform, as package web does (web.Route.Platform).
	WhilePlatformOff bool
	// MaxBody is the maximum size, in bytes, of a body for Handler. If it is set, Handler must write the
	// 413 itself. If it is 0, the constant MaxBody applies and the chain writes the 413.
	MaxBody int64
	// Timeout is the timeout of Handler. Each Route has its own.
	Timeout time.Duration
	// Start is called when the gateway starts, and runs until ctx is done. It may be nil.
	Start func(ctx context.Context)
}

// RevokeTimeout is the timeout of routes that revoke a credential. While Redis is down, a revocation completes
// only after all session records of the credential have expired (behaviour: tokens#revocation-waits-for-redis).
const RevokeTimeout = sessionrecord.WaitOut + 5*time.Second

// Slowest returns the longest timeout of the listener's routes.
func (l Listener) Slowest() time.Duration {
	slowest := l.Timeout
	for _, r := range l.Routes {
		slowest = max(slowest, r.Timeout)
	}
	return slowest
}

// New wraps the routes or the handler of l in the middleware that doc.go lists.
func New(c Config, l Listener) (http.Handler, error) {
	if c.Log == nil || c.Usage == nil || c.MaxInFlight < 1 {
		return nil, errors.New("chain: Log, Usage and MaxInFlight are required")
	}
	if l.Name == "" || l.Fail == nil || (l.Handler == nil) == (len(l.Routes) == 0) {
		return nil, errors.New("chain: a Listener needs Name, Fail, and either Routes or Handler")
	}
	bound := newInFlight(l.Name, c.MaxInFlight)
	next := l.Handler
	if next == nil {
		var err error
		if next, err = wrapRoutes(c, l, bound); err != nil {
			return nil, err
		}
	} else {
		if l.Timeout <= 0 {
			return nil, errors.New("chain: a Listener with a Handler needs a Timeout")
		}
		if l.MaxBody == 0 {
			next = RefuseLarge(next)
		}
		next = platform(c.PlatformOn || l.WhilePlatformOff, next)
		next = bound.around(limitBody(cmp.Or(l.MaxBody, MaxBody), deadline(l.Timeout, next)))
	}
	return middleware{Config: c, Listener: l, meter: newMeter(l.Name, served(l))}.wrap(next), nil
}

// served returns the routes that are known before the first request.
func served(l Listener) []Served {
	if h, lists := l.Handler.(interface{ Served() []Served }); lists {
		return h.Served()
	}
	all := make([]Served, len(l.Routes))
	for i, r := range l.Routes {
		all[i] = Served{r.Method, r.Template}
	}
	return all
}

// wrapRoutes builds the router. The inner middleware runs once the route is known, so that its errors have the
// format of the route.
func wrapRoutes(c Config, l Listener, bound inFlight) (*router, error) {
	routes := make([]Route, len(l.Routes))
	for i, r := range l.Routes {
		if r.Timeout <= 0 || r.Fail == nil || r.Handler == nil {
			return nil, errors.New("chain: the route " + r.Method + " " + r.Template + " is incomplete")
		}
		r.Handler = bound.around(limitBody(MaxBody, deadline(r.Timeout, platform(c.PlatformOn, r.Handler))))
		routes[i] = r
	}
	return newRouter(routes, l.Fail)
}
