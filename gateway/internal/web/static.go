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
	"slices"
	"strings"
)

// defaultAssets is the default value of Config.Assets.
var defaultAssets = map[string][]string{
	"app.css":     {"tokens.css", "base.css", "parts.css"},
	"favicon.svg": {"favicon.svg"},
}

// contentTypes maps file extensions to media types. Package mime is unsuitable, because it depends
// on files on the machine.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
}

// asset is a file that browsers may cache forever, because its name contains its hash.
type asset struct {
	path        string
	contentType string
	body        []byte
}

// assets holds every asset by its name, for example "app.css", and by the last element of its path.
type assets struct{ byName, byFile map[string]asset }

func loadAssets(cfg Config) (assets, error) {
	a := assets{byName: map[string]asset{}, byFile: map[string]asset{}}
	made := maps.Clone(defaultAssets)
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

// readStatic reads a file of the site, or the shared file if the site does not have it.
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

// Asset returns the path of an asset, for example "/static/app.0123456789ab.css" for "app.css". It returns an
// error for unknown names.
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

// favicon serves the icon to browsers that request it without first loading a page.
func (s *Site) favicon(w http.ResponseWriter, _ *http.Request) error {
	return serve(w, s.assets.byName["favicon.svg"], "public, max-age=86400")
}

func serve(w http.ResponseWriter, a asset, caching string) error {
	h := w.Header()
	h.Del("Vary")
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", caching)
	_, _ = w.Write(a.body) // fails only if the client has disconnected
	return nil
}

// Layers combines several file systems, for a site whose packages embed their own templates. A file comes
// from the first layer that contains it.
type Layers []fs.FS

func (l Layers) Open(name string) (fs.File, error) {
	for _, layer := range l {
		if file, err := layer.Open(name); !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Glob returns the matches of all layers. It returns an error if two layers have the same name, because only
// one of the files would be served.
func (l Layers) Glob(pattern string) (all []string, err error) {
	for _, layer := range l {
		found, err := fs.Glob(layer, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			if slices.Contains(all, name) {
				return nil, fmt.Errorf("two packages have the file %s", name)
			}
		}
		all = append(all, found...)
	}
	return all, nil
}
