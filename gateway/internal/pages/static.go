package pages

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed static
var staticFiles embed.FS

// styleParts make up the one style sheet that browsers load, in this order.
var styleParts = []string{"tokens.css", "base.css", "parts.css", "pages.css"}

// asset is a file that browsers may keep for ever: its name holds its hash.
type asset struct {
	path        string
	contentType string
	body        []byte
}

// assets holds every asset by its plain name, for example "app.css", and by the
// last element of its path.
type assets struct{ byName, byFile map[string]asset }

func loadAssets() (assets, error) {
	var style []byte
	for _, part := range styleParts {
		raw, err := staticFiles.ReadFile("static/" + part)
		if err != nil {
			return assets{}, fmt.Errorf("pages: %w", err)
		}
		style = append(style, raw...)
	}
	icon, err := fs.ReadFile(staticFiles, "static/favicon.svg")
	if err != nil {
		return assets{}, fmt.Errorf("pages: %w", err)
	}
	a := assets{byName: map[string]asset{}, byFile: map[string]asset{}}
	a.add("app.css", style)
	a.add("favicon.svg", icon)
	return a, nil
}

func (a assets) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	file := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	one := asset{path: "/static/" + file, contentType: mime.TypeByExtension(ext), body: body}
	a.byName[name], a.byFile[file] = one, one
}

func (p *Pages) static(w http.ResponseWriter, r *http.Request) error {
	one, ok := p.assets.byFile[r.PathValue("file")]
	if !ok {
		return errNotFound
	}
	serve(w, one, "public, max-age=31536000, immutable")
	return nil
}

// favicon serves browsers that ask without having read the page.
func (p *Pages) favicon(w http.ResponseWriter, _ *http.Request) error {
	serve(w, p.assets.byName["favicon.svg"], "public, max-age=86400")
	return nil
}

func serve(w http.ResponseWriter, a asset, caching string) {
	h := w.Header()
	h.Del("Vary")
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", caching)
	_, _ = w.Write(a.body) // the client is gone if this fails
}
