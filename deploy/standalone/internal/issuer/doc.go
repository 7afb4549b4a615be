// Package issuer keeps the certificates of a deployment of containers: it makes them,
// renews them at two thirds of their life, and replaces the authority in time, so that
// nothing has to be done by hand. Each part has a folder of its own, which holds its own
// key; the authority's key is in a folder that the issuer alone can read.
//
// Parts read the files again by themselves (package mtls), so nothing is restarted.
package issuer
