package generate

import (
	"regexp"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// citations are for us: partners do not have docs/behaviour.
var citations = regexp.MustCompile(`\s*\(behaviour:[^)]*\)`)

// commentOf is the comment before a declaration, as partners read it.
func commentOf(d protoreflect.Descriptor) string {
	comment := d.ParentFile().SourceLocations().ByDescriptor(d).LeadingComments
	var lines []string
	for line := range strings.SplitSeq(comment, "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return citations.ReplaceAllString(strings.TrimSpace(strings.Join(lines, " ")), "")
}
