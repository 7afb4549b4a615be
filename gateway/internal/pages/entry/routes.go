// Package entry serves the pages for sign-in, sign-up, password reset and sign-out.
package entry

import (
	"embed"
	"log/slog"
	"net/http"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Files holds the templates.
//
//go:embed templates
var Files embed.FS

// Routes returns the routes of the pages.
func Routes(forms credential.Forms, auth, candidate grpc.ClientConnInterface, log *slog.Logger) []shell.Route {
	s := signIn{forms, authv1.NewSessionServiceClient(auth), authv1.NewOAuthServiceClient(auth)}
	joining := signUp{s, authv1.NewSignUpServiceClient(auth), candidatev1.NewProfileServiceClient(candidate), log}
	forgotten := reset{s, authv1.NewPasswordServiceClient(auth)}
	limited := forms.Limited
	toSignIn := func(r *http.Request) string { return shell.SignInTo(s.PostedReturn(r)) }
	form := func(r *http.Request) string { return shell.WithReturn(r.URL.Path, s.PostedReturn(r)) }
	link := func(r *http.Request) string { return linkTo(r.URL.Path, r.PostForm.Get(tokenField)) }
	return []shell.Route{
		{Route: web.Route{Path: shell.SignInPath, Get: s.form, Post: s.submit, Anonymous: true}, Form: toSignIn},
		{Route: web.Route{Path: "/sign-in/passkey/start", Post: limited(s.startPasskey), Anonymous: true}},
		{Route: web.Route{Path: "/sign-in/passkey", Post: s.submitPasskey, Anonymous: true}, Form: toSignIn},
		{Route: web.Route{Path: shell.SignOutPath, Post: s.signOut}},
		{Route: web.Route{Path: signUpPath, Get: joining.form, Post: limited(joining.submit), Anonymous: true}, Form: form},
		{Route: web.Route{Path: signUpSentPath, Get: joining.sent}},
		{Route: web.Route{Path: "/sign-up/confirm", Get: limited(joining.confirm), Post: limited(joining.complete), Anonymous: true}, Form: link},
		{Route: web.Route{Path: "/sign-up/confirm/start", Post: limited(joining.startPasskey), Anonymous: true}},
		{Route: web.Route{Path: resetPath, Get: forgotten.form, Post: limited(forgotten.submit), Anonymous: true}, Form: form},
		{Route: web.Route{Path: resetSentPath, Get: forgotten.sent}},
		{Route: web.Route{Path: "/reset/choose", Get: limited(forgotten.choose), Post: limited(forgotten.replace), Anonymous: true}, Form: link},
	}
}
