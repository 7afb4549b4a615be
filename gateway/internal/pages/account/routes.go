// Package account serves the pages for a person's own account: password, passkeys, sessions, language,
// activity, data and job applications.
package account

import (
	"embed"
	"log/slog"
	"slices"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Files holds the templates and a script.
//
//go:embed templates static
var Files embed.FS

// Config holds the dependencies and settings of the pages.
type Config struct {
	// Auth and Candidate are connections to those services.
	Auth, Candidate grpc.ClientConnInterface
	// ConsoleURL is the URL of the developer console, without a trailing slash.
	ConsoleURL string
	Log        *slog.Logger
}

// Routes returns the routes of the pages. Sensitive pages require recent re-authentication
// (behaviour: accounts#re-authentication).
func Routes(forms credential.Forms, cfg Config) []shell.Route {
	keys := passkeyPages{forms, cfg.ConsoleURL}
	account := accountPages{keys, authv1.NewSessionServiceClient(cfg.Auth), authv1.NewPasswordServiceClient(cfg.Auth)}
	data := dataPages{forms, cfg.ConsoleURL, authv1.NewPersonDataServiceClient(cfg.Auth), candidatev1.NewPersonDataServiceClient(cfg.Candidate), cfg.Log}
	activity := activityPages{forms.Shell, authv1.NewAuditServiceClient(cfg.Auth)}
	applications := applicationPages{forms.Shell, candidatev1.NewApplicantServiceClient(cfg.Candidate)}
	own := forms.Own
	sensitive := func(h shell.Page) web.Handler { return own(keys.proven(h)) }
	return slices.Concat(
		shell.To(shell.Itself, []web.Route{
			{Path: shell.AccountPath, Get: own(account.show)},
			{Path: applicationsPath, Get: own(applications.list)},
		}),
		shell.To(shell.AccountPath, []web.Route{
			{Path: "/account/language", Post: own(account.setLanguage)},
			{Path: "/account/password", Post: own(account.changePassword)},
			{Path: "/account/password/remove", Get: sensitive(keys.askRemovePassword), Post: sensitive(keys.removePassword)},
			{Path: "/account/sessions/end", Post: own(account.endAllSessions)},
			{Path: "/account/sessions/{id}/end", Post: own(account.endSession)},
			{Path: confirmPath, Get: own(keys.ask), Post: own(keys.prove)},
			{Path: "/account/confirm/start", Post: own(keys.startProof)},
			{Path: passkeyNewPath, Get: sensitive(keys.form), Post: sensitive(keys.add)},
			{Path: passkeyStartPath, Post: sensitive(keys.start)},
			{Path: "/account/passkeys/{id}/rename", Get: own(keys.askName), Post: own(keys.rename)},
			{Path: "/account/passkeys/{id}/remove", Get: sensitive(keys.askRemove), Post: sensitive(keys.remove)},
		}),
		shell.To(activityPath, []web.Route{{Path: activityPath, Get: own(activity.list)}}),
		shell.To(dataPath, []web.Route{
			{Path: dataPath, Get: own(data.show)},
			{Path: "/account/data/progress", Get: own(data.progress)},
			{Path: "/account/data/export", Post: own(data.start)},
			{Path: "/account/data/exports/{id}/download", Post: sensitive(data.download)},
			{Path: dataDeletePath, Get: sensitive(data.askDelete), Post: sensitive(data.requestDeletion)},
			{Path: "/account/data/keep", Post: own(data.keep)},
		}),
	)
}
