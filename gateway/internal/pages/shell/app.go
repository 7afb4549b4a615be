package shell

import authv1 "vitae.internal/proto/gen/vitae/auth/v1"

// LogosPath is the path prefix of all app logos.
const LogosPath = "/logos/"

// App is an app as pages show it.
type App struct {
	Name string
	// Logo is the URL of the uploaded logo, or "" if there is none. Pages do not show a logo that
	// is on a different host, because that host would learn who opens the page.
	Logo string
}

// AppOf converts an app to an App for the pages.
func AppOf(a *authv1.App) App {
	v := App{Name: a.GetName()}
	if version := a.GetLogoVersion(); version != "" {
		v.Logo = LogosPath + a.GetId() + "/" + version
	}
	return v
}
