// Package cmd implements the command line of vitaectl. It has one file per noun, and each command
// makes one or two calls to the services.
//
// It contains no rules of the services. A service rejects an unknown id or scope, and the command
// prints the error.
package cmd
