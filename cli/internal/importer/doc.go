// Package importer writes the contents of a world file to the services. It first sends every
// request as a dry run (validate_only), and writes only if there are no faults.
//
// Only the services know what is valid, and their answer to a dry run contains every fault. This
// package must not contain their rules: it only maps faults to places in the file.
package importer
