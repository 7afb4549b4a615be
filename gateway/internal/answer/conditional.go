package answer

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
)

// Conditional adds a strong entity tag to the responses of next, and answers 304 to a
// client that already has the same response (behaviour: sharing#entity-tag). The
// responses depend on the credential, so shared caches must not store them.
func Conditional(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held := &heldResponse{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(held, r)
		if held.status != http.StatusOK {
			held.release()
			return
		}
		sum := sha256.Sum256(held.body.Bytes())
		tag := base64.RawURLEncoding.EncodeToString(sum[:])
		h := w.Header()
		h.Set("ETag", `"`+tag+`"`)
		h.Set("Cache-Control", "private, no-cache")
		if ParseIfNoneMatch(r.Header.Values("If-None-Match")).Match(tag) {
			NotModified(w)
			return
		}
		held.release()
	})
}

// NotModified answers 304. The caller must have set the ETag.
func NotModified(w http.ResponseWriter) {
	w.Header().Del("Content-Type")
	w.Header().Del("Content-Length")
	w.WriteHeader(http.StatusNotModified)
}

// heldResponse buffers a response until its tag is known. It is built from one gRPC
// message, whose size limit also limits the buffer.
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
