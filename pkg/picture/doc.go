// Package picture makes untrusted pictures safe to serve: it decodes them, turns them upright,
// scales them down and encodes them again. Nothing else of the original file remains: no metadata,
// no trailing data, and no bytes that could be interpreted as a different file format.
//
// The package must never decode a picture before checking its dimensions. It does not know where
// pictures come from.
package picture
