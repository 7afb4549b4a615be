package console

import (
	"net/http"

	"vitae.internal/gateway/internal/web"
)

const (
	// maxLogo is the largest logo that auth takes, in bytes.
	maxLogo = 1 << 20
	// maxLogoForm bounds the form with a logo, in bytes. It leaves room for a file that is too large, as
	// pictures of cameras are, so that the form comes back with what was typed.
	maxLogoForm = 10<<20 + web.MaxForm
)

// routes are all pages (behaviour: console#addresses). The kit adds /static/{file} and
// /favicon.ico.
func (c *Console) routes() []web.Route {
	app, secret, key := appsPath+"/{app}", appsPath+"/{app}/secrets/{secret}", appsPath+"/{app}/keys/{key}"
	all := []web.Route{
		{Path: signInPath, Get: c.signIn},
		{Path: callbackPath, Get: c.limited(c.callback)},
		{Path: signOutPath, Post: c.signOut},
		{Path: signedOutPath, Get: c.signedOut},
		{Path: "/.well-known/security.txt", Get: func(w http.ResponseWriter, r *http.Request) error {
			w.Header().Del("Vary")
			c.Security.ServeHTTP(w, r)
			return nil
		}},

		{Path: newAccountPath, Get: c.signedIn(c.askAccount), Post: c.whole(accountFields, c.signedIn(c.takenOnce("/", c.createAccount)))},
		{Path: chooseAccountPath, Post: c.signedIn(c.chooseAccount)},
		{Path: invitationsPath + "/{secret}", Get: c.signedIn(c.showInvitation), Post: c.signedIn(c.accept)},

		{Path: "/{$}", Get: c.member(c.overview)},
		{Path: appsPath, Get: c.member(c.appList)},
		{Path: appsPath + "/new", Get: c.asking(visit.mayDevelop, c.proven(appsPath+"/new", c.askApp)), Post: c.whole(newAppFields, c.member(c.proven(appsPath+"/new", c.takenOnceBy(appsPath, c.createApp)))), MaxUpload: maxLogoForm, TooLarge: c.asking(visit.mayDevelop, c.refuseLargeNewApp)},
		{Path: app, Get: c.member(c.showApp), Post: c.whole(appDetails, c.member(c.saveApp)), MaxUpload: maxLogoForm, TooLarge: c.member(c.refuseLargeApp)},
		{Path: app + "/delete", Get: c.asking(visit.mayDevelop, c.askDeleteApp), Post: c.member(c.deleteApp)},
		{Path: app + "/consent", Get: c.member(c.showConsent)},
		{Path: app + "/secrets", Post: c.whole(fields{formField}, c.provenOnce(app, c.addSecret))},
		{Path: secret + "/end", Post: c.whole(endFields, c.member(c.proven(app, c.setSecretEnd)))},
		{Path: secret + "/delete", Get: c.asking(visit.mayDevelop, c.askDeleteSecret), Post: c.member(c.deleteSecret)},
		{Path: app + "/keys", Get: c.member(c.keys), Post: c.whole(keyFields, c.provenOnce(app+"/keys", c.createKey))},
		{Path: key + "/delete", Get: c.asking(visit.mayDevelop, c.askDeleteKey), Post: c.member(c.deleteKey)},

		{Path: usagePath, Get: c.member(c.usage)},
		{Path: usagePath + ".csv", Get: c.member(c.usageFile)},
		{Path: usagePath + "/minutes.csv", Get: c.member(c.minutesFile)},
		{Path: usagePath + "/routes.csv", Get: c.member(c.routesFile)},
		{Path: requestsPath, Get: c.member(c.requests)},
		{Path: requestsPath + ".csv", Get: c.member(c.requestFile)},
		{Path: newestPath, Get: c.member(c.newestRequests)},
		{Path: requestsPath + "/{request}", Get: c.member(c.showRequest)},
		{Path: limitsPath, Get: c.member(c.limits), Post: c.whole(planFields, c.once(limitsPath, c.askPlan))},

		{Path: teamPath, Get: c.member(c.team), Post: c.whole(invitedFields, c.provenOnce(teamPath, c.invite))},
		{Path: teamPath + "/{person}/role", Post: c.whole(roleFields, c.member(c.proven(teamPath, c.changeRole)))},
		{Path: teamPath + "/{person}/remove", Get: c.member(c.askRemove), Post: c.member(c.proven("", c.remove))},
		{Path: invitationsPath + "/{invitation}/withdraw", Post: c.member(c.withdraw)},

		{Path: auditPath, Get: c.member(c.auditLog)},
		{Path: auditPath + ".csv", Get: c.member(c.auditFile)},

		{Path: settingsPath, Get: c.member(c.settings), Post: c.whole(ownFields, c.member(c.saveSettings))},
		{Path: settingsPath + "/close", Get: c.asking(visit.mayOwn, c.askClose), Post: c.member(c.proven("", c.closeAccount))},
	}
	for i := range all {
		if all[i].TooLarge == nil {
			all[i].TooLarge = c.refuseLarge
		}
	}
	return all
}
