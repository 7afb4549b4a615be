package chain

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/answer"
)

// Config is what all doors of a gateway share. Proxies may be empty; everything
// else is required.
type Config struct {
	// Log takes one line per request.
	Log *slog.Logger
	// Proxies are the peers whose X-Forwarded-For is believed.
	Proxies Proxies
	// Usage takes the requests of known accounts.
	Usage Usage
	// PlatformOn is false while the developer platform is switched off: then every
	// route answers 404 (behaviour: errors#platform-off).
	PlatformOn bool
	// MaxInFlight is how many requests of a door may be under way at a time.
	MaxInFlight int
}

// Door is an interface that the gateway serves at a listener of its own. It has
// either a table of routes or a handler that finds its routes itself.
type Door struct {
	// Name stands for the door in logs and metrics.
	Name string
	// Headers are set on every answer.
	Headers http.Header
	// Fail answers a request that no route takes.
	Fail answer.ErrorWriter
	// Routes are what the door serves.
	Routes []Route
	// Handler serves the whole door in place of Routes. It notes the template of the
	// route in the Exchange, and decides about PlatformOn itself.
	Handler http.Handler
	// Timeout is how long Handler may take. A Route has its own.
	Timeout time.Duration
}

// New builds the handler of a door: the chain that doc.go lists, around its routes.
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
		if next, err = newRouter(c, d, bound); err != nil {
			return nil, err
		}
	} else {
		if d.Timeout <= 0 {
			return nil, errors.New("chain: a door with a handler has a timeout")
		}
		next = bound.around(limitBody(RefuseLarge(deadline(d.Timeout, next))))
	}
	return listener{Config: c, Door: d}.wrap(next), nil
}

// newRouter routes to the handlers of the table, each behind the part of the chain
// that belongs to a route. That is after the routing, so that a refusal has the
// shape of the route's errors.
func newRouter(c Config, d Door, bound inFlight) (*Router, error) {
	routes := make([]Route, len(d.Routes))
	for i, r := range d.Routes {
		if r.Timeout <= 0 || r.Fail == nil || r.Handler == nil {
			return nil, errors.New("chain: the route " + r.Method + " " + r.Template + " is incomplete")
		}
		r.Handler = bound.around(limitBody(deadline(r.Timeout, platform(c.PlatformOn, r.Handler))))
		routes[i] = r
	}
	return NewRouter(routes, d.Fail)
}

// NoteRoute wraps a handler that finds its routes with an http.ServeMux. It notes
// the pattern that the mux has chosen as the route of the request.
func NoteRoute(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if r.Pattern != "" {
				ExchangeOf(r.Context()).Route = r.Pattern
			}
		}()
		next.ServeHTTP(w, r)
	})
}
