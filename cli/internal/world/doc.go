// Package world reads world files: people with CVs, developers with apps and keys, companies, jobs
// and applications in one JSON file (docs/world-file.md).
//
// It checks the structure of the file: valid JSON without duplicate keys, known fields of the right
// type, required fields, unique refs, email addresses and usernames, and refs to objects of the
// right kind. It lists every fault with its JSON path. Rules for values, such as names, dates and
// URLs, belong to the services, which the importer calls. They must not be repeated here.
package world
