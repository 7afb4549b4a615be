package app

import "net/http"

// Edge is the REST edge's handler, for tests that bring their own listener.
func (g *Gateway) Edge() http.Handler { return g.edge }

// Listeners is how many addresses Run serves.
const Listeners = 3

// Legacy is the older interface's handler.
func (g *Gateway) Legacy() http.Handler { return g.legacy }

// Pages is the handler of the pages' listener.
func (g *Gateway) Pages() http.Handler { return g.pages }
