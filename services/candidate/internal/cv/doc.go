// Package cv is the content of a CV: its sections, how they are stored, the
// order in which they are shown, and the language that they are written in.
//
// It knows nothing of persons, permissions or transports. What of a content an
// app may see is decided in package projection alone.
package cv
