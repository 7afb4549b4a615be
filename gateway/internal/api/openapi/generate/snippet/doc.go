// Package snippet writes the code samples of the OpenAPI document: one request in curl,
// JavaScript, Python and Go (behaviour: openapi#code-samples). Samples use only the standard
// library of the language. They read every address, id and credential from the environment,
// so that they run unchanged.
//
// It must return the same text for the same request, and must never write a value into a
// sample that looks like a credential.
package snippet
