package page_test

import (
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/page"
)

const document = `<!doctype html><html lang=ar dir=rtl><body>
<form method=post action=/sign-in><input type=hidden name=csrf value=t>
 <label for=e>Email</label><input id=e name=mail type=email value=old>
 <label>Pass <input name=pw type=password></label>
 <fieldset disabled><input name=never value=x></fieldset>
 <label><input type=checkbox name=s value=a checked disabled> A</label>
 <label><input type=checkbox name=s value=b checked aria-labelledby=n> <span id=n>B</span> <small>hint</small></label>
 <label><input type=radio name=r value=1 checked> One</label><label><input type=radio name=r value=2> Two</label>
 <label>CV<select name=cv><option value=m>Main<option value=o selected>Other</select></label>
 <button name=do value=go>Sign in</button></form>
<section aria-labelledby=h><h2 id=h>Acme</h2><button form=out formaction="?x=1" role=switch aria-checked=true>Share</button></section>
<form id=out method=post action=/out><input type=hidden name=id value=7></form></body></html>`

func parse(t *testing.T) *page.Page {
	t.Helper()
	at := &url.URL{Scheme: "http", Host: "h", Path: "/p"}
	p, err := page.Parse(at, strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func find(t *testing.T, p *page.Page, role, name string) page.Element {
	t.Helper()
	e, err := p.One(role, name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestFormIsSubmittedLikeInABrowser(t *testing.T) {
	p := parse(t)
	button := find(t, p, "button", "Sign in")
	form, err := p.FormOf(button)
	if err != nil {
		t.Fatal(err)
	}
	form.Fill(find(t, p, "textbox", "Email"), "new")
	form.Fill(find(t, p, "textbox", "Pass"), "word")
	form.Check(find(t, p, "checkbox", "B"), false)
	form.Check(find(t, p, "radio", "Two"), true)
	if err := form.Select(find(t, p, "combobox", "CV"), "Main"); err != nil {
		t.Fatal(err)
	}
	sent, err := form.Submit(button)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sent.Body.Encode(), "csrf=t&cv=m&do=go&mail=new&pw=word&r=2"; got != want || sent.Method != "POST" || sent.URL.String() != "http://h/sign-in" {
		t.Errorf("%s %s %s, want %s", sent.Method, sent.URL, got, want)
	}
}

func TestFormIncludesControlsOutsideIt(t *testing.T) {
	p := parse(t)
	region := find(t, p, "region", "Acme")
	share, err := region.One("switch", "Share")
	if err != nil {
		t.Fatal(err)
	}
	if !share.Checked() {
		t.Error("the switch is not checked")
	}
	form, err := p.FormOf(share)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := form.Submit(share)
	if err != nil {
		t.Fatal(err)
	}
	if got := sent.Body.Encode(); got != "id=7" || sent.URL.String() != "http://h/p?x=1" {
		t.Errorf("%s %s", sent.URL, got)
	}
}

func TestLanguageAndDirectionAreRead(t *testing.T) {
	if p := parse(t); p.Lang() != "ar" || p.Dir() != "rtl" || p.Has("button", "Nothing") {
		t.Errorf("lang %q, dir %q", p.Lang(), p.Dir())
	}
}
