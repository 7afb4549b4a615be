package template

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

//go:embed cv.html.tmpl base.css classic.css compact.css
var sources embed.FS

//go:embed fonts/*.ttf
var fonts embed.FS

// Name is the name of a template.
type Name string

// The templates that a person can choose.
const (
	// Classic has generous spacing.
	Classic Name = "classic"
	// Compact fits more on a page.
	Compact Name = "compact"
)

// Names lists all templates.
var Names = []Name{Classic, Compact}

// Template lays out CVs. It is safe for concurrent use.
type Template struct {
	page      *template.Template
	styles    map[Name]template.CSS
	fonts     fs.FS
	fontsHash string
}

// New parses the embedded files. It fails only if an embedded file is invalid.
func New() (*Template, error) {
	page, err := template.New("cv.html.tmpl").Funcs(template.FuncMap{"isolated": isolated}).ParseFS(sources, "cv.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	styles := map[Name]template.CSS{}
	for _, name := range Names {
		style, err := style(name)
		if err != nil {
			return nil, err
		}
		styles[name] = style
	}
	faces, err := fs.Sub(fonts, "fonts")
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	hash, err := hashFiles(faces)
	if err != nil {
		return nil, err
	}
	return &Template{page: page, styles: styles, fonts: faces, fontsHash: hash}, nil
}

// Fonts returns the fonts that the documents use.
func (t *Template) Fonts() fs.FS { return t.fonts }

// FontsHash identifies the fonts. It does not cover the style and layout, because they are part of every
// document.
func (t *Template) FontsHash() string { return t.fontsHash }

// HTML returns the document for a CV in the given template. photo is a JPEG, or nil if there is none. It
// returns an error for an unknown template.
func (t *Template) HTML(c *cvv1.SharedCv, name Name, photo []byte) (string, error) {
	style, ok := t.styles[name]
	if !ok {
		return "", fmt.Errorf("template: no template %q", name)
	}
	v := newView(c, name)
	v.Style = style
	if len(photo) > 0 {
		v.Photo = template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(photo))
	}
	var out strings.Builder
	if err := t.page.Execute(&out, v); err != nil {
		return "", fmt.Errorf("template: %w", err)
	}
	return out.String(), nil
}

// style returns the common style followed by the template's own style.
func style(name Name) (template.CSS, error) {
	var out strings.Builder
	for _, file := range []string{"base.css", string(name) + ".css"} {
		part, err := sources.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("template: %w", err)
		}
		out.Write(part)
	}
	return template.CSS(out.String()), nil
}

func hashFiles(files fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d\n", path, len(b))
		h.Write(b)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("template: fonts: %w", err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
