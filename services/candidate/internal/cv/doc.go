// Package cv implements the rules for the content of a CV: validation, stored form, display order and
// language detection. The content is a protobuf message, which the database stores as JSON.
//
// The package must not depend on people, permissions or transports. Only package projection decides what an
// app may see.
package cv
