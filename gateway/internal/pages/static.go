package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"

	"vitae.internal/gateway/internal/pages/redoc"
)

//go:embed static
var staticFiles embed.FS

// madeOf says which files make up an asset, in this order.
var madeOf = map[string][]string{
	"app.css":       {"tokens.css", "base.css", "parts.css", "pages.css"},
	"reference.css": {"tokens.css", "reference.css"},
	"reference.js":  {"reference.js"},
	"favicon.svg":   {"favicon.svg"},
}

// asset is a file that browsers may keep for ever: its name holds its hash.
type asset struct {
	path        string
	contentType string
	body        []byte
	packed      bool // body is packed with gzip
}

// assets holds every asset by its plain name, for example "app.css", and by the
// last element of its path.
type assets struct{ byName, byFile map[string]asset }

func loadAssets() (assets, error) {
	a := assets{byName: map[string]asset{}, byFile: map[string]asset{}}
	for name, parts := range madeOf {
		var body []byte
		for _, part := range parts {
			raw, err := staticFiles.ReadFile("static/" + part)
			if err != nil {
				return assets{}, fmt.Errorf("pages: %w", err)
			}
			body = append(body, raw...)
		}
		a.add(name, body, false)
	}
	a.add("redoc.js", redoc.Packed, true)
	return a, nil
}

func (a assets) add(name string, body []byte, packed bool) {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	file := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	one := asset{path: "/static/" + file, contentType: mime.TypeByExtension(ext), body: body, packed: packed}
	a.byName[name], a.byFile[file] = one, one
}

func (p *Pages) static(w http.ResponseWriter, r *http.Request) error {
	one, ok := p.assets.byFile[r.PathValue("file")]
	if !ok {
		return errNotFound
	}
	return serve(w, r, one, "public, max-age=31536000, immutable")
}

// favicon serves browsers that ask without having read the page.
func (p *Pages) favicon(w http.ResponseWriter, r *http.Request) error {
	return serve(w, r, p.assets.byName["favicon.svg"], "public, max-age=86400")
}

func serve(w http.ResponseWriter, r *http.Request, a asset, caching string) error {
	h := w.Header()
	h.Del("Vary")
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", caching)
	if !a.packed {
		_, _ = w.Write(a.body) // the client is gone if this fails
		return nil
	}
	h.Set("Vary", "Accept-Encoding")
	if takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		_, _ = w.Write(a.body)
		return nil
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(a.body))
	if err != nil {
		return fmt.Errorf("pages: unpack %s: %w", a.path, err)
	}
	_, _ = io.Copy(w, unpacked)
	return nil
}

// takesGzip reads Accept-Encoding (RFC 9110 §12.5.3). Browsers name gzip; whoever
// names it with a weight of zero, or says no more than "*", gets the file as it is.
func takesGzip(accepted string) bool {
	for one := range strings.SplitSeq(accepted, ",") {
		coding, weight, _ := strings.Cut(one, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			value := strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			return strings.Trim(value, "0.") != "" || value == ""
		}
	}
	return false
}
