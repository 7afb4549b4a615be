// Package location writes what stands in Location fields (RFC 9110 §10.2.2).
//
// It must never change what a reader of an address gets, since addresses carry parameters of
// others.
package location

import "strings"

// Printable percent-encodes characters that a client has sent unencoded and that a
// header field cannot hold. A reader of the query gets the same values. "#" is
// encoded too: it is part of the query of a request, but it would end the query in a
// Location (RFC 3986 §3.5).
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
