// Package export makes a copy of everything that Vitae holds of a person
// (behaviour: account-data#taking-a-copy): a ZIP with a JSON document, its schema, the PDFs of all
// CVs, the photo and the resumes.
//
// A worker makes it in the background, in steps that are counted. Each step renews the
// worker's hold on the export; when a worker dies, another begins anew. The ZIP goes into
// the bucket as it is made, and lies there for a day.
//
// It must never hold more than one file of a person in memory, and never give an export to
// anybody but its person.
package export
