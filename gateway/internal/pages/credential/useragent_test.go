package credential

import (
	"testing"

	"vitae.internal/pkg/audit"
)

func TestBrowserNamesAreRecognized(t *testing.T) {
	t.Parallel()
	for userAgent, want := range map[string][2]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":              {"Edge", "Windows"},
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                            {"Chrome", "Windows"},
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0":                                                                     {"Firefox", "Linux"},
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":                      {"Safari", "macOS"},
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1":     {"Chrome", "iPhone"},
		"Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36": {"Samsung Internet", "Android"},
		"curl/8.0": {}, "": {}, "<script>alert(1)</script>": {},
	} {
		if got := browserOf(userAgent); got.GetName() != want[0] || got.GetSystem() != want[1] {
			t.Errorf("%q is recognized as %v", userAgent, got)
		}
	}
}

// The audit log drops browser names that it does not accept.
func TestAuditLogAcceptsBrowserNames(t *testing.T) {
	t.Parallel()
	for detail, all := range map[string]signs{audit.Browser: browserSigns, audit.System: systemSigns} {
		for _, one := range all {
			if e := (audit.Event{Details: map[string]string{detail: one.name}}).Clean(); e.Details[detail] != one.name {
				t.Errorf("the audit log omits %s %q", detail, one.name)
			}
		}
	}
}
