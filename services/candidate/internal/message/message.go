// Package message converts values to fields of messages.
package message

import (
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// Text returns s, or nil, which is null, if it is blank.
func Text(s string) *wrapperspb.StringValue {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return wrapperspb.String(s)
}

// Optional returns v, or nil, which is absent, if it is zero.
func Optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// Time returns t, or nil if it is zero.
func Time(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

// List converts the items of a list.
func List[From, To any](list []From, convert func(From) To) []To {
	if len(list) == 0 {
		return nil
	}
	out := make([]To, len(list))
	for i, item := range list {
		out[i] = convert(item)
	}
	return out
}
