// Package format checks the form of single fields that profiles and CVs share:
// dates, links, images, e-mail addresses, identifiers, and texts that must be
// there. Each function adds at most one fault to the list, under the path of the
// field in the names of the .proto (`profile.content.skill_groups[0].category`).
//
// It never changes what it checks, and never repeats a value in a fault. The checks
// that every service needs (lengths of texts, numbers of items) are pkg/fault's.
package format
