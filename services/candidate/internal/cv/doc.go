// Package cv defines the content of a CV: its sections, their validation and stored form,
// their display order, and the detection of their language.
//
// It must never know persons, permissions or transports. Only package projection decides
// what an app may see.
package cv
