package template

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"vitae.internal/services/cvrender/internal/cv"
)

//go:embed cv.html.tmpl style.css
var sources embed.FS

//go:embed fonts/*.ttf
var fonts embed.FS

// Template lays out CVs. It is safe for concurrent use.
type Template struct {
	page      *template.Template
	style     template.CSS
	fonts     fs.FS
	fontsHash string
}

// New parses the embedded files. It fails only if the program was built wrongly.
func New() (*Template, error) {
	page, err := template.New("cv.html.tmpl").ParseFS(sources, "cv.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	style, err := sources.ReadFile("style.css")
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	faces, err := fs.Sub(fonts, "fonts")
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	hash, err := hashFiles(faces)
	if err != nil {
		return nil, err
	}
	return &Template{page: page, style: template.CSS(style), fonts: faces, fontsHash: hash}, nil
}

// Fonts gives the font files that the documents use.
func (t *Template) Fonts() fs.FS { return t.fonts }

// FontsHash names the bytes of the fonts. Style and layout need no such name: they are part
// of every document.
func (t *Template) FontsHash() string { return t.fontsHash }

// HTML gives the document for a CV. photo is a JPEG, or nil for none.
func (t *Template) HTML(c cv.CV, photo []byte) (string, error) {
	v := newView(c)
	v.Style = t.style
	if len(photo) > 0 {
		v.Photo = template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(photo))
	}
	var out strings.Builder
	if err := t.page.Execute(&out, v); err != nil {
		return "", fmt.Errorf("template: %w", err)
	}
	return out.String(), nil
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
