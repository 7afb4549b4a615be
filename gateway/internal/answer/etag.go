package answer

import (
	"strings"
)

// EntityTags holds the value of an If-None-Match field (RFC 9110 §13.1.2).
type EntityTags struct {
	// Any is true for "*".
	Any bool
	// Opaque holds the tags without quotes and without "W/". The comparison of
	// If-None-Match ignores the weakness mark (RFC 9110 §8.8.3.2).
	Opaque []string
}

// maxEntityTags bounds the comparisons that one request can cause.
const maxEntityTags = 50

// ParseIfNoneMatch parses the lines of an If-None-Match field. Malformed tags match
// nothing: that costs a full response, but never causes a wrong 304.
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

// Match reports whether tag, without quotes, is among the client's tags.
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
