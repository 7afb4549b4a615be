// Package picture makes an untrusted picture safe to serve: it decodes it, turns it
// upright, scales it down and encodes it again. Only the picture remains of the original
// file: no metadata, no trailing data, no second meaning of its bytes.
//
// It must never decode a picture before its dimensions are checked, and it knows
// nothing of where pictures come from.
package picture
