// Package format validates single fields of profiles and CVs: dates, links, images, email
// addresses, identifiers and required text. Each function adds at most one error, under the field's
// path in the .proto file (`profile.content.skill_groups[0].category`).
//
// It never changes a value, and never repeats the value in an error. Package fault contains the
// checks that all services need, such as for the lengths of strings and lists.
package format
