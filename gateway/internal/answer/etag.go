package answer

import (
	"strings"
)

// EntityTags is the value of an If-None-Match field (RFC 9110 §13.1.2).
type EntityTags struct {
	// Any is set for "*".
	Any bool
	// Opaque holds the tags without quotes and without the weakness mark, which the
	// comparison of If-None-Match ignores (RFC 9110 §8.8.3.2).
	Opaque []string
}

// maxEntityTags bounds what one request may make us compare.
const maxEntityTags = 50

// ParseIfNoneMatch reads the lines of an If-None-Match field. What is not an
// entity tag matches nothing, and so costs a full answer, never a wrong 304.
func ParseIfNoneMatch(lines []string) EntityTags {
	var tags EntityTags
	rest := strings.Join(lines, ",")
	if strings.TrimSpace(rest) == "*" {
		return EntityTags{Any: true}
	}
	for len(tags.Opaque) < maxEntityTags {
		rest = strings.TrimLeft(rest, " \t,")
		opened, ok := strings.CutPrefix(strings.TrimPrefix(rest, "W/"), `"`)
		if !ok {
			return tags
		}
		tag, after, closed := strings.Cut(opened, `"`)
		if !closed {
			return tags
		}
		tags.Opaque = append(tags.Opaque, tag)
		rest = after
	}
	return tags
}

// Match reports whether a representation with the tag, given without quotes, is
// one that the client already has.
func (t EntityTags) Match(tag string) bool {
	if t.Any {
		return true
	}
	for _, held := range t.Opaque {
		if held == tag {
			return true
		}
	}
	return false
}
