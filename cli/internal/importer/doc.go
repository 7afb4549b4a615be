// Package importer brings a world to the services: it asks them about every
// request first (validate_only), and writes only when none has a fault.
//
// The services alone know what is valid. This package must not hold a rule of
// theirs; it only takes a refused field out and asks again, so that all faults
// are found and not just the first.
package importer
