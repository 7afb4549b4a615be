package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"strings"
)

// look is what assets are made of if the site does not say otherwise.
var look = map[string][]string{
	"app.css":     {"tokens.css", "base.css", "parts.css"},
	"favicon.svg": {"favicon.svg"},
}

// contentTypes are those of assets, by the extension of the name. Package mime would ask the files
// of the machine, which say different things on different ones.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
}

// asset is a file that browsers may keep for ever, because its name holds its hash.
type asset struct {
	path        string
	contentType string
	body        []byte
}

// assets holds every asset by its plain name, for example "app.css", and by the
// last element of its path.
type assets struct{ byName, byFile map[string]asset }

func loadAssets(cfg Config) (assets, error) {
	a := assets{byName: map[string]asset{}, byFile: map[string]asset{}}
	made := maps.Clone(look)
	maps.Copy(made, cfg.Assets)
	for name, parts := range made {
		var body []byte
		for _, part := range parts {
			raw, err := readStatic(cfg.Files, "static/"+part)
			if err != nil {
				return assets{}, err
			}
			body = append(body, raw...)
		}
		if err := a.add(name, body); err != nil {
			return assets{}, err
		}
	}
	return a, nil
}

// readStatic reads a file of the site, or else of the kit.
func readStatic(site fs.FS, name string) ([]byte, error) {
	raw, err := fs.ReadFile(site, name)
	if errors.Is(err, fs.ErrNotExist) {
		return kit.ReadFile(name)
	}
	return raw, err
}

func (a assets) add(name string, body []byte) error {
	ext := path.Ext(name)
	contentType, known := contentTypes[ext]
	if !known {
		return fmt.Errorf("asset %q: the extension %q has no content type", name, ext)
	}
	sum := sha256.Sum256(body)
	file := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	one := asset{path: "/static/" + file, contentType: contentType, body: body}
	a.byName[name], a.byFile[file] = one, one
	return nil
}

// Asset is the path under which an asset is served, for example
// "/static/app.0123456789ab.css" for "app.css". An unknown name is an error, which
// fails the template that names it.
func (s *Site) Asset(name string) (string, error) {
	one, ok := s.assets.byName[name]
	if !ok {
		return "", fmt.Errorf("%s: there is no asset %q", s.cfg.Name, name)
	}
	return one.path, nil
}

func (s *Site) static(w http.ResponseWriter, r *http.Request) error {
	one, ok := s.assets.byFile[r.PathValue("file")]
	if !ok {
		return errNotFound
	}
	return serve(w, one, "public, max-age=31536000, immutable")
}

// favicon serves browsers that ask for the icon without having read a page.
func (s *Site) favicon(w http.ResponseWriter, _ *http.Request) error {
	return serve(w, s.assets.byName["favicon.svg"], "public, max-age=86400")
}

func serve(w http.ResponseWriter, a asset, caching string) error {
	h := w.Header()
	h.Del("Vary")
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", caching)
	_, _ = w.Write(a.body) // the client is gone if this fails
	return nil
}
