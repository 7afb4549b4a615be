// Package validate holds the field checks that profiles and CVs share: lengths,
// dates, links. It reports the first broken rule with the path of its field,
// in the names of the .proto (`profile.content.skill_groups[0].category`), so
// that callers see one spelling from this package and from the rules in the
// .proto.
//
// It never changes what it checks, and never repeats a value in a message.
package validate
