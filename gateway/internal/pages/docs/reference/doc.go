// Package reference renders the pages of the API reference from the OpenAPI document when the
// gateway starts (behaviour: pages#the-reference). Redoc, Scalar and similar programs are not used,
// because they need large scripts, show nothing without them, and have a search and a style of
// their own.
//
//	document.go   the parts of the document that are read
//	reference.go  the pages: groups of operations
//	operation.go  one operation, with its body and responses
//	fields.go     a schema as a list of fields
//
// It adds nothing to the document. Never pass it a document from outside the repository, because
// its Markdown is converted to HTML.
package reference
