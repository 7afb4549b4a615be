// Package snippet writes the code samples of the OpenAPI document: one request in curl,
// JavaScript, Python and Go (behaviour: openapi#code-samples). Samples use nothing beyond
// the language's own library, and read every address, id and credential from the
// environment, so that they run as they are.
//
// It must give the same text for the same request, and must never write a value into a
// sample that could be taken for a credential.
package snippet
