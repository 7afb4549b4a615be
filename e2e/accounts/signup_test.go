package accounts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/mailbox"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

const newPassword = "a quiet harbour at noon"

func TestNewAccountReturnsToApp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		labels editorLabels
		makeCV string
		device browser.Options
	}{
		"en-desktop": {editorEnglish, "Make or import a CV", browser.Options{}},
		"ar-phone":   {editorArabic, "إنشاء سيرة ذاتية أو استيرادها", browser.Options{Width: 360, Height: 740, NoScript: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scene.New(t)
			app := s.Client(t, "web")
			request := app.NewRequest("profile email cv:read")
			email := "new-" + world.Unique() + "@example.com"

			d := newDevice(t, c.labels.labels, c.device)
			d.Open(app.URL(request))
			d.Find("link", d.createLink).Click()
			d.Find("button", d.create)
			d.checkPage("sign-up")
			d.send(d.create, d.name, "Noor Saleh", d.email, email, d.password, "short")
			d.until(d.short)
			d.Until("the focus is on the field", func() bool { return d.Focused().Name() == d.password })
			d.checkPage("sign-up with an invalid field")
			d.send(d.create, d.password, newPassword)
			d.Find("heading", d.mailbox)
			d.checkPage("sign-up sent")

			m := mailbox.Await(t, s.Stack, email, 1)
			if m.Subject != d.signUpSubject || m.Language != d.language || !strings.Contains(m.HTML, `dir="`+d.direction+`"`) {
				t.Errorf("the email is %q in language %s", m.Subject, m.Language)
			}
			d.Open(m.Link(t))
			d.Find("heading", d.confirmHeading)
			d.checkPage("sign-up confirmation")
			d.send(d.confirm, d.password, newPassword)
			d.FindWith("heading", s.AppName(t, "web")) // the app's consent page
			d.Find("button", d.allow)
			if !strings.Contains(d.Text(), email) {
				t.Error("the consent page does not show the new address")
			}
			d.importsCV(c.labels, c.makeCV)
			d.FindWith("heading", s.AppName(t, "web"))
			d.FindWith("radio", "") // the new CV can be shared
			d.Find("button", d.allow)

			d.Open(m.Link(t))
			d.Until("the link is dead", func() bool { return !d.Has("button", d.confirm) && d.Has("main", "") })
		})
	}
}

// importsCV follows the link on the consent page of a person without a CV, and imports a CV from a file.
func (d device) importsCV(l editorLabels, link string) {
	d.t.Helper()
	d.Find("link", link).Click()
	d.Find("link", l.importCV).Click()
	file := filepath.Join(d.t.TempDir(), "cv.json")
	if err := os.WriteFile(file, []byte(`{"basics":{"summary":"Keeps the books of three hotels."}}`), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.fileField(l.file).Attach(file)
	d.Find("button", l.read).Click()
	d.Find("button", l.createCV).Click()
}

// fillIn opens a page, fills in fields by name, and presses a button.
func fillIn(t *testing.T, p *person.Person, address, button string, fields map[string]string) person.Visit {
	t.Helper()
	at := expect.Must(p.Open(t.Context(), address))(t)
	return submit(t, p, at, button, fields)
}

func submit(t *testing.T, p *person.Person, at person.Visit, button string, fields map[string]string) person.Visit {
	t.Helper()
	pressed := expect.Must(at.Page.One("button", button))(t)
	form := expect.Must(at.Page.FormOf(pressed))(t)
	for name, value := range fields {
		form.Fill(expect.Must(at.Page.One("textbox", name))(t), value)
	}
	return expect.Must(p.Press(t.Context(), form, pressed))(t)
}

func TestTakenAddressGetsSamePage(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Stack.AppURLs[0]
	owner, nobody := s.World.People[0].Email, "free-"+world.Unique()+"@example.com"
	var shown []string
	for _, email := range []string{owner, nobody} {
		at := fillIn(t, person.New("", ""), app+"/sign-up", english.create,
			map[string]string{english.name: "Another Person", english.email: strings.ToUpper(email), english.password: newPassword})
		shown = append(shown, at.Page.URL.String()+strings.ReplaceAll(at.Page.Text(), strings.ToUpper(email), "the address"))
	}
	if shown[0] != shown[1] || !strings.Contains(shown[0], english.mailbox) {
		t.Errorf("the pages differ:\n%s\n%s", shown[0], shown[1])
	}
	taken := mailbox.Await(t, s.Stack, owner, 1)
	if taken.Subject != english.takenSubject || strings.Contains(taken.Text, "token=") || strings.Contains(taken.Text, "Another Person") {
		t.Errorf("the owner of the address got %q: %s", taken.Subject, taken.Text)
	}
	if free := mailbox.Await(t, s.Stack, strings.ToUpper(nobody), 1); free.Subject != english.signUpSubject {
		t.Errorf("the new address got %q", free.Subject)
	}
	signIn(t, s, owner, world.Password, true)
	signIn(t, s, owner, newPassword, false)
}

// signIn tries to sign in with a new browser, and asserts that this succeeds or, if want is false, fails.
func signIn(t *testing.T, s *scene.Scene, email, password string, want bool) *person.Person {
	t.Helper()
	p := person.New(email, password)
	at := expect.Must(p.Open(t.Context(), s.Stack.AppURLs[0]+"/account"))(t)
	at = expect.Must(p.SignIn(t.Context(), at.Page))(t)
	if got := !at.Page.Has("button", person.SignInButton); got != want {
		t.Fatalf("%s signed in: %v, want %v", email, got, want)
	}
	return p
}

// Browsers send an internationalized domain as entered or as an A-label, and keyboards enter an
// accented letter as one or two characters. (behaviour: accounts#email-addresses)
func TestDomainFormsAreOneEmailAddress(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	name := "mira-" + world.Unique()
	typed, stored := name+"@bücher.example", name+"@xn--bcher-kva.example"
	const set, combining = "P\u00e4ssw\u00f6rd f\u00fcr Mira", "Pa\u0308sswo\u0308rd fu\u0308r Mira"
	p := person.New("", "")
	fillIn(t, p, s.Stack.AppURLs[0]+"/sign-up", english.create, map[string]string{english.name: "Mira", english.email: typed, english.password: set})
	at := fillIn(t, p, mailbox.Await(t, s.Stack, stored, 1).Link(t), english.confirm, map[string]string{english.password: combining})
	if !strings.Contains(at.Page.Text(), stored) {
		t.Fatalf("confirming the sign-up: %d %s", at.Status, at.Page.Text())
	}
	signIn(t, s, stored, combining, true)
	signIn(t, s, typed, set, true)
	sent := len(mailbox.Of(t, s.Stack, stored))
	fillIn(t, person.New("", ""), s.Stack.AppURLs[0]+"/reset", english.resetSend, map[string]string{english.email: typed})
	if m := mailbox.Await(t, s.Stack, stored, sent+1); m.Subject != english.resetMail {
		t.Errorf("the email is %q", m.Subject)
	}
}
