// Package importer writes a world to the services. It asks them about every request
// first (validate_only), and writes only if they find no fault.
//
// The services alone know what is valid, and answer a dry run with every fault of
// the request. This package must not hold a rule of theirs: it only finds the place
// in the file for each fault.
package importer
