// Package form implements the form in which a person edits a profile or a CV. It builds the form's controls
// from a document and reads a submitted form back into a document. Control names follow the .proto files:
// `experiences.3.title` is the title of the entry with the key 3. So one table describes the form in both
// directions.
//
// The package does not validate the content. The candidate service does, and Control finds the control for
// a field that it reports as invalid. The package does not render HTML or call other services.
package form
