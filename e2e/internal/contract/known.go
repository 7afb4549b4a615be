package contract

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

// likeness is a hash that is equal for exchanges that match or differ from the document in the same
// way.
type likeness [sha256.Size]byte

// likeness hashes the exchange without the values of the response headers and without the request id in
// the body.
func (x Exchange) likeness() likeness {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %d\n", x.Request.Method, x.Request.URL, x.Status)
	for _, name := range slices.Sorted(maps.Keys(x.Request.Header)) {
		fmt.Fprintf(h, "%q %q\n", name, x.Request.Header[name])
	}
	for _, name := range slices.Sorted(maps.Keys(x.Header)) {
		fmt.Fprintf(h, "%q\n", name)
	}
	fmt.Fprintf(h, "%q %d\n", x.Header.Get("Content-Type"), len(x.Sent))
	h.Write(x.Sent)
	body := x.Body
	if id := x.Header.Get("X-Request-Id"); id != "" {
		body = bytes.ReplaceAll(body, []byte(id), nil)
	}
	h.Write(body)
	return likeness(h.Sum(nil))
}
