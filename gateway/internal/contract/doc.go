// Package contract reads the REST interface from the descriptors of the .proto files: which
// methods are served, with which credential and scope, and how fields are written in JSON
// (vitae.options.v1).
package contract
