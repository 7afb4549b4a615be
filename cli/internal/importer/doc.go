// Package importer writes the contents of a world file to the services. It first sends every request as a dry
// run (validate_only), and writes only if no service finds an error.
//
// Only the services define what is valid, and their response to a dry run contains every error. This package
// must not repeat their rules. It only maps errors to paths in the file.
package importer
