// Package jsonread reads JSON from front to back, and names the place of each fault by its JSON path.
//
// The scanner is jsontext, which becomes encoding/json/jsontext with Go 1.27. Until then, encoding/json
// gives no path, and accepts duplicate keys, invalid UTF-8 and halves of surrogate pairs.
package jsonread
