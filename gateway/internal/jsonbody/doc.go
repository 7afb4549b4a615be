// Package jsonbody reads the JSON body of a request into its message. It rejects duplicate keys, invalid UTF-8,
// NUL, half surrogate pairs, numbers that are out of range, and deep nesting, even inside unknown fields
// (behaviour: requests#reading-a-body). Every error contains its JSON path
// (behaviour: errors#which-fault-is-reported).
//
// The package must never check the meaning of a value. The services check lengths, patterns and combinations.
package jsonbody
