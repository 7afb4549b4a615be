package credential

import (
	"net/http"
	"strings"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// signs are marks of a User-Agent and their meaning. The first match counts: most browsers name
// others too, so derived browsers come before the ones that they name.
type signs []struct{ mark, name string }

// browserSigns and systemSigns know what most people use. What a browser says of itself is
// shown to its own person alone, and decides nothing.
var (
	browserSigns = signs{
		{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"YaBrowser/", "Yandex Browser"},
		{"HuaweiBrowser/", "Huawei Browser"}, {"FxiOS/", "Firefox"}, {"Firefox/", "Firefox"}, {"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	}
	systemSigns = signs{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

func (s signs) in(userAgent string) string {
	for _, sign := range s {
		if strings.Contains(userAgent, sign.mark) {
			return sign.name
		}
	}
	return ""
}

// browserOf reads the User-Agent. Nothing of it but these names is kept
// (behaviour: accounts#sessions).
func browserOf(userAgent string) *authv1.Browser {
	return &authv1.Browser{Name: browserSigns.in(userAgent), System: systemSigns.in(userAgent)}
}

// BrowserOf returns the browser of a request.
func BrowserOf(r *http.Request) *authv1.Browser { return browserOf(r.UserAgent()) }
