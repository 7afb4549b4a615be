// Package export creates a copy of all data of a person (behaviour: account-data#taking-a-copy).
// The copy is a ZIP with a JSON document, its schema, the PDFs of all CVs, the photo and the resumes.
//
// A worker creates it in the background, in counted steps. Each step renews the lease of the
// export; if a worker dies, another one starts again. The ZIP is streamed into the bucket and
// deleted after a day.
//
// The package must never have more than one file of a person in memory, and never return an export
// to anyone but its person.
package export
