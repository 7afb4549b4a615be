// Package export creates a copy of all of a person's data (behaviour: account-data#taking-a-copy). The copy
// is a ZIP archive that contains a JSON document, its schema, the PDFs of all CVs, the photo and the resumes.
//
// A worker creates it in the background, step by step. Each step renews the lease on the export. If a worker
// dies, a different worker starts again. The archive is streamed into the bucket and deleted after a day.
//
// The package must never hold more than one of a person's files in memory, and must never return an export to
// anyone but its owner.
package export
