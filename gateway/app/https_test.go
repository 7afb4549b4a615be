package app_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/app"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/mtls"
)

func TestPublicHTTPURLIsRejected(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	dir := t.TempDir()
	if err := mtls.Issue(dir, "gateway"); err != nil {
		t.Fatal(err)
	}
	for address, starts := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost:8080": true, "http://[::1]:8080": true, "https://vitae.example": true,
		"http://vitae.example": false, "http://10.0.0.7": false, "http://localhost.example": false, "http://127.0.0.1.example": false,
	} {
		for _, plain := range []string{"off", "on"} {
			for _, setting := range []string{"VITAE_BASE_URL", "VITAE_APP_URL", "VITAE_LEGACY_BASE_URL", "VITAE_CONSOLE_URL"} {
				cfg, err := config.Load[app.Config](goodConfig().With(config.Environment{setting: address, "VITAE_PLAIN_HTTP": plain}))
				if err != nil {
					t.Fatal(err)
				}
				err = cfg.Check()
				refused := err != nil && strings.Contains(err.Error(), setting+" is http at ")
				if refused != (!starts && plain == "off") {
					t.Errorf("%s=%s with VITAE_PLAIN_HTTP=%s: %v", setting, address, plain, err)
				}
				if !refused {
					continue // other tests start gateways with these URLs
				}
				if _, err := app.New(cfg, log, identity(t, dir, "gateway")); err == nil || !strings.Contains(err.Error(), setting+" is http at ") {
					t.Errorf("%s=%s: the gateway starts: %v", setting, address, err)
				}
			}
		}
	}
}

func TestHTTPSListenersSendHSTS(t *testing.T) {
	t.Parallel()
	s := newScene(t, set("VITAE_LEGACY_BASE_URL", "http://127.0.0.1:8082"), set("VITAE_CONSOLE_URL", "https://console.example"))
	const yes = "max-age=31536000"
	for want, handlers := range map[string][]http.Handler{yes: {s.gateway.API(), s.gateway.Pages(), s.gateway.Console()}, "": {s.gateway.Legacy()}} {
		for i, handler := range handlers {
			for _, path := range []string{"/", "/v1/me", "/nothing", "/docs"} {
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
				if got := w.Header().Get("Strict-Transport-Security"); got != want {
					t.Errorf("handler %d, %s: %q, want %q", i, path, got, want)
				}
			}
		}
	}
}

func TestEveryListenerServesSecurityTxt(t *testing.T) {
	t.Parallel()
	s := newScene(t, set("VITAE_SECURITY_CONTACT", "mailto:security@vitae.example"))
	silent := newScene(t)
	ask := func(h http.Handler) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/.well-known/security.txt", nil))
		return w
	}
	for _, handler := range []http.Handler{s.gateway.API(), s.gateway.Pages(), s.gateway.Legacy(), s.gateway.Console()} {
		w := ask(handler)
		lines := strings.Split(w.Body.String(), "\n")
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" || len(lines) != 5 ||
			lines[0] != "Contact: mailto:security@vitae.example" || lines[3] != "Canonical: "+appURL+"/.well-known/security.txt" {
			t.Fatalf("%d %v %q", w.Code, w.Header(), lines)
		}
		expires, err := time.Parse(time.RFC3339, strings.TrimPrefix(lines[1], "Expires: "))
		if left := time.Until(expires); err != nil || left < 30*24*time.Hour || left > 365*24*time.Hour {
			t.Errorf("wrong expiry %q: %v", lines[1], err)
		}
	}
	for _, handler := range []http.Handler{silent.gateway.API(), silent.gateway.Pages(), silent.gateway.Legacy(), silent.gateway.Console()} {
		if w := ask(handler); w.Code != http.StatusNotFound {
			t.Errorf("without a contact: %d %s", w.Code, w.Body)
		}
	}
	if _, err := config.Load[app.Config](config.Environment{"VITAE_SECURITY_CONTACT": "security@vitae.example"}); err == nil {
		t.Error("a contact that is neither mailto: nor https: is accepted")
	}
}
