package shell

import authv1 "vitae.internal/proto/gen/vitae/auth/v1"

// LogosPath is the path of all logos.
const LogosPath = "/logos/"

// App is an app as pages show it.
type App struct {
	Name string
	// Logo is the address of its uploaded logo, "" for none. A logo at another host is not shown: the
	// host would learn who opens the page.
	Logo string
}

// AppOf returns how pages show an app.
func AppOf(a *authv1.App) App {
	v := App{Name: a.GetName()}
	if version := a.GetLogoVersion(); version != "" {
		v.Logo = LogosPath + a.GetId() + "/" + version
	}
	return v
}
