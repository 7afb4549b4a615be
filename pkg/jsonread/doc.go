// Package jsonread reads JSON in a single pass and reports errors with their JSON path.
//
// It uses the tokenizer jsontext, which becomes encoding/json/jsontext in Go 1.27. The current
// encoding/json reports no paths, and accepts duplicate keys, invalid UTF-8 and unpaired
// surrogates.
package jsonread
