// Package world reads world files: people with CVs, developers with apps and keys, companies, jobs and
// applications in one JSON file (docs/world-file.md).
//
// It checks the structure of the file. The JSON must be valid and without duplicate keys. Objects must have all
// required fields, no unknown fields, and values of the right type. Refs, email addresses and usernames must be
// unique, and each ref must refer to an object of the right kind. The package reports every error with its JSON
// path. Rules for values such as names, dates and URLs belong to the services, which the importer calls. Do not
// repeat them here.
package world
