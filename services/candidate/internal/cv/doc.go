// Package cv has the rules of a CV's content: validation, stored form, display order, and the
// detection of its language. The content is the message of the contract, in memory and, as JSON, in
// the database.
//
// It must never know persons, permissions or transports. Only package projection decides
// what an app may see.
package cv
