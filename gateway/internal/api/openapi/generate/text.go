package generate

import (
	"regexp"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// citations matches citations in comments. Partners do not have docs/behaviour.
var citations = regexp.MustCompile(`\s*\(behaviour:[^)]*\)`)

// commentOf returns the comment of a declaration without citations.
func commentOf(d protoreflect.Descriptor) string {
	comment := d.ParentFile().SourceLocations().ByDescriptor(d).LeadingComments
	var lines []string
	for line := range strings.SplitSeq(comment, "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return citations.ReplaceAllString(strings.TrimSpace(strings.Join(lines, " ")), "")
}
