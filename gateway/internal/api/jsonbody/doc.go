// Package jsonbody reads the JSON body of a request into its message, strictly:
// duplicate keys, invalid UTF-8, NUL, halves of surrogate pairs, numbers out of
// range and deep nesting are refused wherever they are, also inside fields that
// nobody knows (decision 4). Every error names its place by the JSON path.
//
// encoding/json and protojson let some of these pass and name no path, which is
// why this package has its own scanner.
//
// It must never look at a value's meaning: lengths, patterns and what fits
// together are the services'.
package jsonbody
