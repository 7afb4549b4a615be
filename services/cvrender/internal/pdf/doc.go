// Package pdf checks that a file from Chromium is a complete PDF, and rewrites it so that programs and
// screen readers can read its text. The same content always has the same bytes.
package pdf
