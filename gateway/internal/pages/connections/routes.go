// Package connections serves the pages about the apps that a person has connected. They show what the apps
// see and have read, and let the person change or end their access.
package connections

import (
	"embed"
	"slices"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/pages/seen"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Files holds the templates.
//
//go:embed templates
var Files embed.FS

// Config holds the dependencies of the pages.
type Config struct {
	// Auth and Candidate are connections to those services.
	Auth, Candidate grpc.ClientConnInterface
	Shown           seen.Shown
	Clock           clock.Clock
}

// Routes returns the routes of the pages and of the apps' logos.
func Routes(sh *shell.Shell, cfg Config) []shell.Route {
	p := pages{sh, authv1.NewConnectionServiceClient(cfg.Auth), candidatev1.NewProfileServiceClient(cfg.Candidate), cfg.Shown, cfg.Clock}
	logos := logoPages{authv1.NewAppLogoServiceClient(cfg.Auth)}
	const one = shell.ConnectionsPath + "/{id}"
	return slices.Concat(
		shell.To(shell.Itself, []web.Route{{Path: shell.ConnectionsPath, Get: sh.Own(p.list)}}),
		shell.To(shell.ConnectionsPath, []web.Route{
			{Path: one + "/cv", Post: sh.Own(p.changeCV)},
			{Path: one + "/sharing", Post: sh.Own(p.change(changeSharing))},
			{Path: one + "/email", Post: sh.Own(p.change(changeEmail))},
			{Path: one + "/photo", Post: sh.Own(p.change(changePhoto))},
			{Path: one + "/contact", Post: sh.Own(p.change(changeContact))},
			{Path: one + "/pause", Post: sh.Own(p.change(changePause))},
			{Path: one + "/end", Post: sh.Own(p.setEnd)},
			{Path: one + "/end-older", Post: sh.Own(p.endOlder)},
			{Path: one + "/reads", Get: sh.Own(p.reads)},
			{Path: one + "/receives", Get: sh.Own(p.receives), Platform: true},
			{Path: one + "/receives/cv.pdf", Get: sh.Own(p.receivesPDF), Platform: true},
			{Path: one + "/disconnect", Get: sh.Own(p.askDisconnect), Post: sh.Own(p.disconnect)},
			{Path: shell.LogosPath + "{app}/{version}", Get: sh.Limited(logos.show)},
		}),
	)
}
