// Package cmd implements the command line of vitaectl. There is one file per noun, and each command makes one
// or two calls to the services.
//
// The package does not repeat the services' rules. If an id or scope is unknown, for example, the service
// rejects it and the command prints the error.
package cmd
