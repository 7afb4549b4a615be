package generate

import (
	"regexp"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// source are the notes that tell us where a rule comes from; partners have neither
// the specification's parts nor the list of decisions.
var source = regexp.MustCompile(`\s*\((spec|decision)[^)]*\)`)

// commentOf is the comment before a declaration, as partners read it.
func commentOf(d protoreflect.Descriptor) string {
	comment := d.ParentFile().SourceLocations().ByDescriptor(d).LeadingComments
	var lines []string
	for line := range strings.SplitSeq(comment, "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return source.ReplaceAllString(strings.TrimSpace(strings.Join(lines, " ")), "")
}
