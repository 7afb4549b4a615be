package app

import "net/http"

// handler gives the handler of a door, for tests that bring their own listener.
func (g *Gateway) handler(name string) http.Handler {
	for _, l := range g.listeners {
		if l.name == name {
			return l.handler
		}
	}
	panic("there is no door named " + name)
}

// API is the handler of the REST API.
func (g *Gateway) API() http.Handler { return g.handler("edge") }

// Legacy is the handler of the legacy interface.
func (g *Gateway) Legacy() http.Handler { return g.handler("legacy") }

// Pages is the handler of the pages.
func (g *Gateway) Pages() http.Handler { return g.handler("pages") }

// Listeners is how many addresses Run serves.
var Listeners = len(Config{}.doors())
