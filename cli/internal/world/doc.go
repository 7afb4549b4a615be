// Package world reads a world file: people with their CVs, developers with
// their apps and keys, companies, jobs and applications, in one JSON file
// (docs/world-file.md).
//
// It checks what only the file can say: that it is JSON without duplicate keys,
// that every field is known, there when it must be and of the right type, that a
// ref, an address or a username is used once, and that things that name each
// other go together. It lists every fault with its JSON path. What a name, a
// date or a URL may look like is for the services to say, which the importer
// asks; this package must not hold their rules.
package world
