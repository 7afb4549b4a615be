// Package jsonbody reads the JSON body of a request into its message, strictly.
// Duplicate keys, invalid UTF-8, NUL, half surrogate pairs, numbers out of range and
// deep nesting are refused everywhere, also inside unknown fields
// (behaviour: requests#reading-a-body). Every error names its place by the JSON path
// (behaviour: errors#which-fault-is-reported).
//
// It must never judge the meaning of a value. Lengths, patterns and what fits
// together are checked by the services.
package jsonbody
