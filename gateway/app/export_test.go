package app

import (
	"net/http"

	"vitae.internal/gateway/internal/api"
	"vitae.internal/gateway/internal/console"
	"vitae.internal/gateway/internal/legacy"
	"vitae.internal/gateway/internal/pages"
)

// handler returns the handler of an interface, for tests that have their own listener.
func (g *Gateway) handler(name string) http.Handler {
	for _, b := range g.listeners {
		if b.name == name {
			return b.handler
		}
	}
	panic("there is no listener named " + name)
}

// API returns the handler of the REST API.
func (g *Gateway) API() http.Handler { return g.handler(api.Name) }

// Legacy returns the handler of the legacy interface.
func (g *Gateway) Legacy() http.Handler { return g.handler(legacy.Name) }

// Pages returns the handler of the pages.
func (g *Gateway) Pages() http.Handler { return g.handler(pages.Name) }

// Console returns the handler of the developer console.
func (g *Gateway) Console() http.Handler { return g.handler(console.Name) }

// Listeners is the number of listeners that Run serves.
var Listeners = len(Config{}.listeners())

// Check validates the config as New does.
func (c Config) Check() error { return c.check() }
