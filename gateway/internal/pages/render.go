package pages

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/pages/i18n"
)

//go:embed templates/*.html
var templateFiles embed.FS

// The pages that have a template of their own.
var templateNames = []string{"home", "signin", "consent", "connections", "disconnect", "profile", "cv", "reference", "guide", "error"}

// view is what the layout needs.
type view struct {
	// Title of the page, without the name of the site.
	Title string
	// Account is the e-mail address of the signed-in person, "" for nobody.
	Account string
	// CSRF is the token for the page's forms.
	CSRF string
	// Notice reports what has just happened, "" for nothing.
	Notice template.HTML
	// Faults are what is wrong with a form that comes back.
	Faults []fault
	// OneWay leaves the account menu out: the decision is the way out of the page,
	// which names the account itself.
	OneWay bool
	// Data is the page's own part.
	Data any
}

// fault is something wrong with a form.
type fault struct {
	// Field is the id of the control to go to.
	Field string
	// Message says what to do.
	Message template.HTML
}

// FaultOf gives the message about a field, "" if there is nothing wrong with it.
func (v view) FaultOf(field string) template.HTML {
	for _, f := range v.Faults {
		if f.Field == field {
			return f.Message
		}
	}
	return ""
}

// layouts are the parsed templates, by language and page.
type layouts map[string]map[string]*template.Template

func parseLayouts(catalog *i18n.Catalogue, files assets) (layouts, error) {
	out := layouts{}
	for _, language := range catalog.Languages() {
		pages := map[string]*template.Template{}
		for _, name := range templateNames {
			t, err := template.New(name).Funcs(functions(catalog, language, files)).
				ParseFS(templateFiles, "templates/layout.html", "templates/"+name+".html")
			if err != nil {
				return nil, fmt.Errorf("pages: %w", err)
			}
			pages[name] = t
		}
		out[language.Tag()] = pages
	}
	return out, nil
}

// functions are what templates may call, in one language.
func functions(catalog *i18n.Catalogue, l *i18n.Language, files assets) template.FuncMap {
	return template.FuncMap{
		"t":     l.HTML, // a message as markup
		"plain": l.Text, // a message for titles and attributes
		"in": func(tag, key string, args ...any) (template.HTML, error) {
			return catalog.Match(tag).HTML(key, args...)
		},
		"dateIn":    func(tag, date string) (string, error) { return catalog.Match(tag).PartialDate(date) },
		"day":       func(t time.Time) (string, error) { return l.Date(t) },
		"lang":      l.Tag,
		"dir":       l.Dir,
		"direction": i18n.Direction,
		"asset":     func(name string) string { return files.byName[name].path },
		"initials":  initials,
		"shade":     shade,
		"weblink":   weblink,
		"ungrouped": ungrouped,
	}
}

// language is the one that the browser asks for.
func (p *Pages) language(r *http.Request) *i18n.Language {
	return p.catalog.Match(r.Header.Get("Accept-Language"))
}

// render answers with a page. Nothing is sent before the page is whole.
func (p *Pages) render(w http.ResponseWriter, r *http.Request, status int, name string, v view) error {
	return p.renderIn(w, p.language(r), status, name, v)
}

func (p *Pages) renderIn(w http.ResponseWriter, language *i18n.Language, status int, name string, v view) error {
	var body bytes.Buffer
	if err := p.layouts[language.Tag()][name].ExecuteTemplate(&body, "layout", v); err != nil {
		return fmt.Errorf("pages: render %s: %w", name, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", language.Tag())
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the client is gone if this fails
	return nil
}
