// Package jsonread reads JSON in a single pass and reports errors with their JSON path.
//
// The scanner is jsontext, which becomes encoding/json/jsontext with Go 1.27. Until then,
// encoding/json reports no paths and accepts duplicate keys, invalid UTF-8 and unpaired surrogates.
package jsonread
