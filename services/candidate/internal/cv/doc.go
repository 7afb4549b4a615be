// Package cv is the content of a CV: its sections, their rules and stored form, the order
// in which they are shown, and the language in which they are written.
//
// It must never know persons, permissions or transports. Package projection alone decides
// how much of a content an app may see.
package cv
