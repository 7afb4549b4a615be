// Package jsonbody reads the JSON body of a request strictly into its message. It rejects
// duplicate keys, invalid UTF-8, NUL, half surrogate pairs, numbers out of range and deep
// nesting, also in unknown fields (behaviour: requests#reading-a-body). Errors have
// the JSON path of the fault (behaviour: errors#which-fault-is-reported).
//
// The services check lengths, patterns and combinations of values.
package jsonbody
