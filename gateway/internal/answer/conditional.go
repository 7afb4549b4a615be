package answer

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
)

// Conditional adds a strong entity tag to the responses of next. It responds with 304 if the client already has
// the same response (behaviour: sharing#entity-tag). The responses depend on the credential, so no shared cache
// may store them.
func Conditional(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held := &heldResponse{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(held, r)
		if held.status == http.StatusOK && unchanged(w, r, TagOf(held.body.Bytes()), privateCache) {
			return
		}
		held.release()
	})
}

// privateCache allows only the client to store a response, and requires revalidation before each
// use.
const privateCache = "private, no-cache"

// TagOf returns the entity tag of a body, without quotes.
func TagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// unchanged sets the caching headers. If the client has the response, it writes a 304 and returns true.
func unchanged(w http.ResponseWriter, r *http.Request, tag, cacheControl string) bool {
	w.Header().Set("ETag", `"`+tag+`"`)
	w.Header().Set("Cache-Control", cacheControl)
	if !ParseIfNoneMatch(r.Header.Values("If-None-Match")).Match(tag) {
		return false
	}
	NotModified(w)
	return true
}

// WritePrivate writes a 200 response that only the client may store, or a 304 if the client has it.
func WritePrivate(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	WriteTagged(w, r, contentType, body, TagOf(body), privateCache)
}

// WriteTagged writes a 200 response, or a 304 if the client has it. tag must come from TagOf.
func WriteTagged(w http.ResponseWriter, r *http.Request, contentType string, body []byte, tag, cacheControl string) {
	if !unchanged(w, r, tag, cacheControl) {
		writeRaw(w, http.StatusOK, contentType, body)
	}
}

// NotModified writes a 304 response. The caller must have set the ETag.
func NotModified(w http.ResponseWriter) {
	w.Header().Del("Content-Type")
	w.Header().Del("Content-Length")
	w.WriteHeader(http.StatusNotModified)
}

// heldResponse buffers a response until its tag is known. The response is built from one gRPC message, whose
// size limit also limits the buffer.
type heldResponse struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (h *heldResponse) WriteHeader(status int)      { h.status = status }
func (h *heldResponse) Write(b []byte) (int, error) { return h.body.Write(b) }

func (h *heldResponse) release() {
	h.Header().Set("Content-Length", strconv.Itoa(h.body.Len()))
	h.ResponseWriter.WriteHeader(h.status)
	_, _ = h.ResponseWriter.Write(h.body.Bytes()) // fails only if the client has disconnected
}

// EntityTags holds the parsed value of an If-None-Match field (RFC 9110 §13.1.2).
type EntityTags struct {
	// Any is true for "*".
	Any bool
	// Opaque holds the tags without quotes and without "W/", because If-None-Match ignores the weakness
	// indicator in comparisons (RFC 9110 §8.8.3.2).
	Opaque []string
}

// maxEntityTags limits the number of comparisons that a request can cause.
const maxEntityTags = 50

// ParseIfNoneMatch parses the lines of an If-None-Match field. Malformed tags match nothing. The client then
// gets a full response, but never a wrong 304.
func ParseIfNoneMatch(lines []string) EntityTags {
	var tags EntityTags
	rest := strings.Join(lines, ",")
	if strings.TrimSpace(rest) == "*" {
		return EntityTags{Any: true}
	}
	for len(tags.Opaque) < maxEntityTags {
		rest = strings.TrimLeft(rest, " \t,")
		opened, ok := strings.CutPrefix(strings.TrimPrefix(rest, "W/"), `"`)
		if !ok {
			return tags
		}
		tag, after, closed := strings.Cut(opened, `"`)
		if !closed {
			return tags
		}
		tags.Opaque = append(tags.Opaque, tag)
		rest = after
	}
	return tags
}

// Match reports whether tag, without quotes, is one of the client's tags.
func (t EntityTags) Match(tag string) bool {
	if t.Any {
		return true
	}
	for _, held := range t.Opaque {
		if held == tag {
			return true
		}
	}
	return false
}
