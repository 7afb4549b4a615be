package app

import (
	"net/http"

	"vitae.internal/gateway/internal/api"
	"vitae.internal/gateway/internal/console"
	"vitae.internal/gateway/internal/legacy"
	"vitae.internal/gateway/internal/pages"
)

// handler gives the handler of a door, for tests that bring their own listener.
func (g *Gateway) handler(name string) http.Handler {
	for _, b := range g.doors {
		if b.name == name {
			return b.handler
		}
	}
	panic("there is no door named " + name)
}

// API is the handler of the REST API.
func (g *Gateway) API() http.Handler { return g.handler(api.Name) }

// Legacy is the handler of the legacy interface.
func (g *Gateway) Legacy() http.Handler { return g.handler(legacy.Name) }

// Pages is the handler of the pages.
func (g *Gateway) Pages() http.Handler { return g.handler(pages.Name) }

// Console is the handler of the developer console.
func (g *Gateway) Console() http.Handler { return g.handler(console.Name) }

// Listeners is how many addresses Run serves.
var Listeners = len(Config{}.doors())

// Check is what New checks before anything else.
func (c Config) Check() error { return c.check() }
