// Package cmd is the command line of vitaectl. It has one file for each noun, and each
// command makes one or two calls of the services.
//
// It must not hold rules of the services. A service refuses an id that does not exist
// or a scope that no key can have, and the command prints the refusal.
package cmd
