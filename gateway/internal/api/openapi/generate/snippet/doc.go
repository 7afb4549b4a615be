// Package snippet writes the code samples of the OpenAPI document: one request in curl, JavaScript, Python and
// Go (behaviour: openapi#code-samples). Samples use only the standard library of the language. They read every
// URL, id and credential from the environment, so that they can be run unchanged.
//
// The package must produce the same text for the same request, and must never write a value that looks like a
// credential into a sample.
package snippet
