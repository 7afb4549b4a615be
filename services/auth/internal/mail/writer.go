package mail

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"net/mail"
	"strings"
)

// files contains the messages by language and the HTML template.
//
//go:embed messages templates
var files embed.FS

// Languages lists the languages of emails. The first one is the default.
var Languages = []string{"en", "ar"}

// texts holds the messages in one language. The keys consist of kind and part, for example "sign_up.subject".
type texts map[string]string

// Links builds the URLs in emails.
type Links interface {
	// URL returns the URL of a page whose query contains the token of a link.
	URL(path, id string) string
	// Plain returns the URL of a page without a token.
	Plain(path string) string
	// Token returns the token of a link.
	Token(id string) string
}

// Writer writes the contents of emails.
type Writer struct {
	links   Links
	console string
	domain  string
	texts   map[string]texts
	form    *htmltemplate.Template
}

// NewWriter returns a Writer. The domain of the sender, from, is also part of the Message-IDs. console is the URL of
// the developer console, or empty if emails must not link to it.
func NewWriter(links Links, console string, from *mail.Address) (*Writer, error) {
	if links == nil || from == nil {
		return nil, errors.New("mail: links and a sender are required")
	}
	_, domain, found := strings.Cut(from.Address, "@")
	if !found {
		return nil, errors.New("mail: the sender has no domain")
	}
	w := &Writer{links: links, console: console, domain: domain, texts: map[string]texts{}}
	for _, language := range Languages {
		raw, err := files.ReadFile("messages/" + language + ".json")
		if err != nil {
			return nil, fmt.Errorf("mail: %w", err)
		}
		var t texts
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, fmt.Errorf("mail: %s: %w", language, err)
		}
		w.texts[language] = t
	}
	var err error
	w.form, err = htmltemplate.ParseFS(files, "templates/mail.html")
	return w, err
}

// letter holds the content of an email. It is the input to the template.
type letter struct {
	Language, Direction string
	Subject             string
	// Before and After are the paragraphs before and after the link.
	Before, After []string
	// Button is the link's label, and URL is its target. Both may be empty.
	Button, URL string
	Footer      string
}

// Write writes the email for an entry. It returns false for wanted if the email must not be sent.
func (w *Writer) Write(d Due) (m Message, wanted bool, err error) {
	name, to, path := string(d.Kind), d.PersonEmail, ""
	switch {
	case d.Kind == SignUp && d.PersonID == "":
		to, path = d.Email, "/sign-up/confirm"
	case d.Kind == Invitation:
		to = d.Email
	case d.PersonID == "":
		return Message{}, false, nil // the account never existed or has been deleted
	case d.Kind == SignUp:
		name = "sign_up_taken"
	case d.Kind == Reset:
		path = "/reset/choose"
	}
	l := w.letter(name, w.language(d), d)
	switch {
	case path != "":
		l.URL = w.links.URL(path, d.Link)
	case d.Kind == Invitation:
		l.URL = w.console + "/invitations/" + w.links.Token(d.Link)
	case d.consolePage() != "":
		l.URL = w.console + d.consolePage()
	case l.Button != "":
		l.URL = w.links.Plain(d.Kind.page())
	}
	m = Message{ID: d.ID + "@" + w.domain, To: to, Subject: l.Subject, Language: l.Language, Date: d.CreatedAt, Text: l.text()}
	var page bytes.Buffer
	if err := w.form.Execute(&page, l); err != nil {
		return Message{}, false, fmt.Errorf("mail: %w", err)
	}
	m.HTML = page.String()
	return m, true, nil
}

// language returns the account's language or, if that is not supported, the language of the original request.
func (w *Writer) language(d Due) string {
	for _, language := range []string{d.PersonLanguage, d.Language} {
		if _, known := w.texts[language]; known {
			return language
		}
	}
	return Languages[0]
}

func (w *Writer) letter(name, language string, d Due) letter {
	t := w.texts[language]
	fill := t.filler(d, language)
	l := letter{
		Language: language, Direction: "ltr", Subject: fill.Replace(t[name+".subject"]), Button: t[name+".button"], Footer: cmp.Or(t[name+".footer"], t["footer"]),
		Before: strings.Split(fill.Replace(t[name+".before"]), "\n"), After: strings.Split(t[name+".after"], "\n"),
	}
	if language == "ar" {
		l.Direction = "rtl"
	}
	return l
}

// text returns the plain-text part of the email.
func (l letter) text() string {
	parts := append([]string{}, l.Before...)
	if l.URL != "" {
		parts = append(parts, l.Button+":\n"+l.URL)
	}
	parts = append(append(parts, l.After...), "-- \n"+l.Footer)
	return strings.Join(parts, "\n\n") + "\n"
}
