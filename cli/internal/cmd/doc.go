// Package cmd is the command line of vitaectl: one file per noun, each command a
// call or two of the services.
//
// It decides nothing that a service decides: an id that does not exist, a scope
// that nobody has, are refused there, and the refusal is passed on.
package cmd
