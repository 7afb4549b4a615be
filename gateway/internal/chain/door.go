package chain

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/sessionrecord"
)

// Config holds what all doors share. Proxies may be empty, PlatformOn false and Memory nil;
// everything else is required.
type Config struct {
	// Log takes one line per request.
	Log *slog.Logger
	// Proxies are the peers whose X-Forwarded-For is believed.
	Proxies Proxies
	// Usage takes the requests of known accounts.
	Usage Usage
	// PlatformOn is false while the developer platform is switched off: then every
	// route, and every handler but those with WhilePlatformOff, answers 404
	// (behaviour: errors#platform-off).
	PlatformOn bool
	// MaxInFlight is how many requests of a door may be under way at a time.
	MaxInFlight int
	// Memory is what large requests and answers of all doors share; nil for no bound.
	Memory *Memory
}

// Door is one interface of the gateway, with a listener of its own. It has either a
// table of routes or a handler that routes by itself.
type Door struct {
	// Name is the name of the door in logs and metrics.
	Name string
	// Headers are set on every answer.
	Headers http.Header
	// Fail answers requests that match no route.
	Fail answer.ErrorWriter
	// Routes is the table of routes.
	Routes []Route
	// Handler replaces Routes. It must set Exchange.Route. One that has a method Served, as
	// those of the page kit, tells which routes there are.
	Handler http.Handler
	// WhilePlatformOff is true for a door whose Handler also answers while the
	// developer platform is switched off. It then closes by itself what belongs to the
	// platform: the page kit does so for the routes that say it (web.Route.Platform).
	WhilePlatformOff bool
	// MaxBody is the largest body of Handler in bytes, which finds out when it reads a larger one; 0 if
	// the chain refuses bodies above the constant MaxBody.
	MaxBody int64
	// Timeout bounds Handler. A Route has its own timeout.
	Timeout time.Duration
}

// RevokeTimeout bounds a route that ends a credential. If Redis is down, a revoke
// answers only after every session record of the credential has expired
// (behaviour: tokens#a-revoke-waits-for-redis).
const RevokeTimeout = sessionrecord.WaitOut + 5*time.Second

// Slowest is the longest time that a request of the door may take.
func (d Door) Slowest() time.Duration {
	slowest := d.Timeout
	for _, r := range d.Routes {
		slowest = max(slowest, r.Timeout)
	}
	return slowest
}

// New builds the handler of a door: its routes, wrapped in the chain of doc.go.
func New(c Config, d Door) (http.Handler, error) {
	if c.Log == nil || c.Usage == nil || c.MaxInFlight < 1 {
		return nil, errors.New("chain: Log, Usage and MaxInFlight are required")
	}
	if d.Name == "" || d.Fail == nil || (d.Handler == nil) == (len(d.Routes) == 0) {
		return nil, errors.New("chain: a door has a name, a Fail, and either routes or a handler")
	}
	bound := newInFlight(d.Name, c.MaxInFlight)
	next := d.Handler
	if next == nil {
		var err error
		if next, err = wrapRoutes(c, d, bound); err != nil {
			return nil, err
		}
	} else {
		if d.Timeout <= 0 {
			return nil, errors.New("chain: a door with a handler has a timeout")
		}
		if d.MaxBody == 0 {
			next = RefuseLarge(next)
		}
		next = platform(c.PlatformOn || d.WhilePlatformOff, next)
		next = bound.around(limitBody(cmp.Or(d.MaxBody, MaxBody), deadline(d.Timeout, next)))
	}
	return listener{Config: c, Door: d, meter: newMeter(d.Name, served(d))}.wrap(next), nil
}

// served lists what the door serves, as far as it is known before the first request.
func served(d Door) []Served {
	if h, lists := d.Handler.(interface{ Served() []Served }); lists {
		return h.Served()
	}
	all := make([]Served, len(d.Routes))
	for i, r := range d.Routes {
		all[i] = Served{r.Method, r.Template}
	}
	return all
}

// wrapRoutes builds the router. Each handler is wrapped in the inner part of the
// chain after the route is known, so that a refusal has the error shape of its
// route.
func wrapRoutes(c Config, d Door, bound inFlight) (*router, error) {
	routes := make([]Route, len(d.Routes))
	for i, r := range d.Routes {
		if r.Timeout <= 0 || r.Fail == nil || r.Handler == nil {
			return nil, errors.New("chain: the route " + r.Method + " " + r.Template + " is incomplete")
		}
		r.Handler = bound.around(limitBody(MaxBody, deadline(r.Timeout, platform(c.PlatformOn, r.Handler))))
		routes[i] = r
	}
	return newRouter(routes, d.Fail)
}
