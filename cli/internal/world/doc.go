// Package world reads a world file: people with their CVs, developers with
// their apps and keys, companies, jobs and applications, in one JSON file
// (docs/world-file.md).
//
// It checks the file as a whole: it must be JSON without duplicate keys, its fields
// must be known and of the right type, required fields must be there, a ref, an
// address or a username may be used only once, and a ref must name a thing of the
// right kind. It lists every fault with its JSON path. The services have the rules for
// values, such as names, dates and URLs, and the importer asks them. This package must
// not hold their rules.
package world
