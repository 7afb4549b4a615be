package browser_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vitae.internal/e2e/internal/browser"
)

const form = `<!doctype html><html lang=ar dir=rtl><title>t</title><body><h1>Hello</h1>
<form method=post action=/sent><label>Name <input name=who></label><label for=p>Secret</label><input id=p type=password name=p>
<label><input type=checkbox name=box value=yes> Box</label><button>Send</button></form>`

func site(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.Method == http.MethodPost {
			fmt.Fprintf(w, "<h1>%s %s %s</h1>", html.EscapeString(r.PostFormValue("who")), r.PostFormValue("p"), r.PostFormValue("box"))
			return
		}
		fmt.Fprint(w, strings.ReplaceAll(form, "Hello", "Hello "+html.EscapeString(r.Header.Get("Accept-Language"))))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestElementsAreFoundByRoleAndName(t *testing.T) {
	t.Parallel()
	b := browser.Start(t, browser.Options{Language: "ar", Width: 360, Height: 740, NoScript: true})
	b.Open(site(t))
	b.Find("heading", "Hello ar")
	if b.Lang() != "ar" || b.Direction() != "rtl" || b.Overflow() != 0 {
		t.Errorf("lang %q, direction %q, overflow %d", b.Lang(), b.Direction(), b.Overflow())
	}
	b.Find("textbox", "Name").Fill("Layla")
	b.Find("textbox", "Secret").Fill("word")
	b.Find("checkbox", "Box").Set(true)
	if !b.Find("checkbox", "Box").Checked() {
		t.Error("the checkbox is not ticked")
	}
	b.Find("button", "Send").Click()
	b.Find("heading", "Layla word yes")
}

func TestKeyboardMovesFocusAndSubmitsForm(t *testing.T) {
	t.Parallel()
	b := browser.Start(t, browser.Options{})
	b.Open(site(t))
	b.Press(kb.Tab)
	if name := b.Focused().Name(); name != "Name" {
		t.Fatalf("focus on %q", name)
	}
	b.Press("Layla" + kb.Tab + "word" + kb.Tab + " " + kb.Enter)
	b.Find("heading", "Layla word yes")
}
