// Package location encodes URLs for Location fields (RFC 9110 §10.2.2).
//
// The package must never change the meaning of a URL, which may contain parameters of apps.
package location

import "strings"

// Printable percent-encodes characters that a header field must not contain. It does not change the values in
// the query. "#" is encoded too: a request's query may contain it, but in a Location it would end the query
// (RFC 3986 §3.5).
func Printable(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c > 0x20 && c < 0x7f && c != '#' {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&0xf]})
		}
	}
	return b.String()
}
