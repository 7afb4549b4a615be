// Package parameters reads the parameters of an OAuth request, from a query or from
// the body of a form. The form endpoints and the authorization requests share it, so
// that all of them take the same text for the same parameters.
//
// It must never give a value that was sent twice, is not text or is too long.
package parameters
