package console

import (
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/console/apps"
	"vitae.internal/gateway/internal/console/audit"
	"vitae.internal/gateway/internal/console/overview"
	"vitae.internal/gateway/internal/console/requests"
	"vitae.internal/gateway/internal/console/settings"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/console/team"
	"vitae.internal/gateway/internal/console/usage"
	"vitae.internal/gateway/internal/web"
)

// Name is the name of the console in logs and metrics.
const Name = shell.Name

// Config configures New.
type Config = shell.Config

// New returns the console's listener. While the developer platform is switched off, every URL
// returns 404 (behaviour: errors#platform-off).
func New(cfg Config) (chain.Listener, error) {
	s, all, own, err := routes(cfg)
	if err != nil {
		return chain.Listener{}, err
	}
	handler, err := s.Handler(all)
	l := chain.Listener{
		Name: Name, Fail: s.Fail, Handler: handler,
		MaxBody: apps.MaxForm,
		Timeout: chain.RevokeTimeout, // deleting an app or a key revokes credentials
	}
	if cfg.PlatformOn {
		l.Start = own.prepare // create the app before the first sign-in needs it
	}
	return l, err
}

// routes returns the routes of all pages (behaviour: console#addresses).
func routes(cfg Config) (*shell.Shell, []web.Route, *ownApp, error) {
	s, err := shell.New(cfg, files, overview.Files, apps.Files, usage.Files, requests.Files, team.Files, audit.Files, settings.Files)
	if err != nil {
		return nil, nil, nil, err
	}
	entry, err := newEntry(s)
	if err != nil {
		return nil, nil, nil, err
	}
	all := slices.Concat(entry.routes(), usage.Routes(s), team.Routes(s), audit.Routes(s), settings.Routes(s))
	for _, of := range []func(*shell.Shell) ([]web.Route, error){overview.Routes, apps.Routes, requests.Routes} {
		more, err := of(s)
		if err != nil {
			return nil, nil, nil, err
		}
		all = append(all, more...)
	}
	return s, append(all, web.Route{Path: "/.well-known/security.txt", Get: func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Del("Vary")
		s.Security.ServeHTTP(w, r)
		return nil
	}}), entry.app, nil
}
