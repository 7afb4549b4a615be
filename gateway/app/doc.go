// Package app puts the gateway together: connections to the parts, the parts of
// admission, and one table of doors (doors.go), each with a listener of its own.
// deploy/standalone runs it beside the other parts, so it is the one package of this
// module that others import.
//
// It must hold no rule of an interface. A new interface is a package and a row of
// the table.
package app
