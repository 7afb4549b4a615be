// Package jsonbody reads the JSON body of a request into its message. It rejects duplicate
// keys, invalid UTF-8, NUL, half surrogate pairs, numbers out of range and deep nesting, also
// inside unknown fields (behaviour: requests#reading-a-body). Every error has the JSON path of
// the fault (behaviour: errors#which-fault-is-reported).
//
// It must never check the meaning of a value: the services check lengths, patterns and
// combinations.
package jsonbody
