// Package validate holds the field checks that companies and jobs share. It
// keeps the first broken rule with the path of its field, in the names of the
// .proto (`basics.title`, `questions[2].prompt`), and a clause that the edge
// prints behind the path's JSON spelling: "must not be blank".
//
// It never changes what it checks, and never repeats a value in a message.
package validate
