// Package world reads world files: people with CVs, developers with apps and keys, companies, jobs
// and applications in one JSON file (docs/world-file.md).
//
// It checks the structure of the file: valid JSON without duplicate keys, and known, complete
// fields of the right type. Refs, email addresses and usernames must be unique, and each ref must
// name an object of the right kind. It lists every fault with its JSON path. Rules for values, such
// as names, dates and URLs, belong to the services, which the importer calls. They must not be
// repeated here.
package world
