package web

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"vitae.internal/gateway/internal/web/i18n"
	"vitae.internal/pkg/country"
)

// templates holds the pages by language and name. A page is combined with the layout and the shared blocks when
// it is first rendered, because this takes longer than parsing its file.
type templates map[string]map[string]func() (*template.Template, error)

// parseTemplates parses every page. For every language, it parses the layout and the shared blocks.
func (s *Site) parseTemplates() (templates, error) {
	shared, err := fs.Glob(s.cfg.Files, "templates/shared/*.html")
	if err != nil {
		return nil, err
	}
	pages, err := s.parsePages()
	if err != nil {
		return nil, err
	}
	out := templates{}
	for _, language := range s.catalog.Languages() {
		base := template.New("").Funcs(s.functions(language)).Funcs(s.cfg.Functions)
		if base, err = base.ParseFS(kit, "templates/layout.html"); err != nil {
			return nil, err
		}
		if len(shared) > 0 {
			if base, err = base.ParseFS(s.cfg.Files, shared...); err != nil {
				return nil, err
			}
		}
		whole := map[string]func() (*template.Template, error){}
		for name, blocks := range pages {
			whole[name] = sync.OnceValues(func() (*template.Template, error) { return combine(base, blocks) })
		}
		out[language.Tag()] = whole
	}
	return out, nil
}

// parsePages parses the blocks of every page once for all languages.
func (s *Site) parsePages() (map[string][]*template.Template, error) {
	own, err := fs.Glob(s.cfg.Files, "templates/*.html")
	if err != nil {
		return nil, err
	}
	parse := func(files fs.FS, file string) ([]*template.Template, error) {
		t, err := template.New("").Funcs(s.functions(s.catalog.Languages()[0])).Funcs(s.cfg.Functions).ParseFS(files, file)
		if err != nil {
			return nil, err
		}
		return t.Templates(), nil
	}
	pages := map[string][]*template.Template{}
	if pages[failurePage], err = parse(kit, "templates/"+failurePage+".html"); err != nil {
		return nil, err
	}
	for _, file := range own {
		if pages[strings.TrimSuffix(path.Base(file), ".html")], err = parse(s.cfg.Files, file); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// combine combines a page with a language's layout and shared blocks.
func combine(base *template.Template, blocks []*template.Template) (*template.Template, error) {
	t, err := base.Clone()
	if err != nil {
		return nil, err
	}
	for _, block := range blocks {
		if block.Tree == nil {
			continue // the set itself
		}
		if _, err := t.AddParseTree(block.Name(), block.Tree.Copy()); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// functions returns the template functions of a language.
func (s *Site) functions(l *i18n.Language) template.FuncMap {
	return template.FuncMap{
		"t":     l.HTML, // returns a message as markup
		"plain": l.Text, // returns a message for titles and attributes
		// in returns a message in the given language, and dateIn formats a date in it.
		"in": func(tag, key string, args ...any) (template.HTML, error) {
			return s.catalog.Match(tag).HTML(key, args...)
		},
		// count returns a message in its plural form for n.
		"count":     func(key string, n int64) (string, error) { return l.Count(key, int(n)) },
		"dateIn":    func(tag, date string) (string, error) { return s.catalog.Match(tag).PartialDate(date) },
		"day":       func(t time.Time) (string, error) { return l.Date(t) },
		"lang":      l.Tag,
		"dir":       l.Dir,
		"direction": i18n.Direction,
		// country returns the name of a country for its ISO 3166-1 alpha-2 code.
		"country": func(code string) (string, error) {
			if code == "" {
				return l.Text("country.unknown")
			}
			return country.Name(code, l.Tag()), nil
		},
		// nameOf returns the name of a language in that language.
		"nameOf":   func(l *i18n.Language) (string, error) { return l.Text("site.language.name") },
		"asset":    s.Asset,
		"brand":    func() string { return s.cfg.Brand },
		"initials": initials,
		"shade":    shade,
	}
}

// Render writes a page in the language of the request (see Language). It sends nothing until the page is
// complete.
//
// It returns errTooLarge if the page is larger than maxPage, and the errors of chain.Exchange.Hold and of the
// request's context.
func (s *Site) Render(w http.ResponseWriter, r *http.Request, status int, page string, v View) error {
	language := s.Language(r)
	v.Path, v.Switch = r.URL.Path, s.switchOf(r, language)
	if s.cfg.Waiting != nil && v.Account != "" && !v.OneWay {
		v.Waiting = s.cfg.Waiting(s, r)
	}
	return s.render(w, r, language, status, page, v)
}

// RenderIn is like Render, but renders the page in the language with the given BCP 47 tag and
// without a language switch.
func (s *Site) RenderIn(w http.ResponseWriter, r *http.Request, tag string, status int, page string, v View) error {
	return s.render(w, r, s.catalog.Match(tag), status, page, v)
}

// RenderPart writes a single block of a page without the layout, for a script that inserts the block
// into the page.
func (s *Site) RenderPart(w http.ResponseWriter, r *http.Request, page, block string, v View) error {
	language := s.Language(r)
	drawn := newSheet(r)
	if err := s.draw(drawn, language, page, block, v); err != nil {
		return err
	}
	s.send(w, language, http.StatusOK, drawn)
	return nil
}

func (s *Site) render(w http.ResponseWriter, r *http.Request, language *i18n.Language, status int, page string, v View) error {
	drawn := newSheet(r)
	if err := s.draw(drawn, language, page, layout, v); err != nil {
		return err
	}
	s.send(w, language, status, drawn)
	return nil
}

func (s *Site) send(w http.ResponseWriter, language *i18n.Language, status int, drawn *sheet) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", language.Tag())
	w.WriteHeader(status)
	_ = drawn.sendTo(w) // fails only if the client has disconnected
}

// layout is the block that contains the whole page.
const layout = "layout"

func (s *Site) draw(out io.Writer, language *i18n.Language, page, block string, v View) error {
	whole, ok := s.templates[language.Tag()][page]
	if !ok {
		return errors.New(s.cfg.Name + ": there is no template " + page)
	}
	t, err := whole()
	if err != nil {
		return fmt.Errorf("%s: parse %s: %w", s.cfg.Name, page, err)
	}
	if err := t.ExecuteTemplate(out, block, v); err != nil {
		return fmt.Errorf("%s: render %s: %w", s.cfg.Name, page, err)
	}
	return nil
}
