// Package format checks the form of single fields of profiles and CVs: dates, links, images, email
// addresses, identifiers and required texts. Each function adds at most one fault, under the path
// of the field in the .proto (`profile.content.skill_groups[0].category`).
//
// It never changes a value, and never repeats one in a fault. Package fault has the checks that all
// services need, such as lengths of texts and lists.
package format
