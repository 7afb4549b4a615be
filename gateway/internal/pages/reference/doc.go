// Package reference makes the pages of the API reference from the OpenAPI document, once,
// when the gateway starts (behaviour: pages#the-reference).
//
//	document.go   what of the document is read
//	reference.go  the pages: groups of operations
//	operation.go  one operation, with its body and answers
//	fields.go     a schema as the fields that a reader sees
//
// It says nothing that the document does not say. It must never take a document from
// outside the repository: its Markdown becomes markup.
package reference
