package credential

import (
	"net/http"
	"strings"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// signs maps substrings of the User-Agent header to names. The first match counts. Most browsers
// include the names of other browsers, so derived browsers come before the browsers that they
// include.
type signs []struct{ mark, name string }

// browserSigns and systemSigns cover the most common browsers and systems. The names are shown only
// to the person who uses the browser, and nothing depends on them.
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

// browserOf parses the User-Agent header. Only these names are stored
// (behaviour: accounts#sessions).
func browserOf(userAgent string) *authv1.Browser {
	return &authv1.Browser{Name: browserSigns.in(userAgent), System: systemSigns.in(userAgent)}
}

// BrowserOf returns the browser that sent a request.
func BrowserOf(r *http.Request) *authv1.Browser { return browserOf(r.UserAgent()) }
