// Package message converts values to the fields of protobuf messages.
package message

import (
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// Text returns s as a nullable string. It returns nil, which stands for null, if s is blank.
func Text(s string) *wrapperspb.StringValue {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return wrapperspb.String(s)
}

// Optional returns a pointer to v. It returns nil, which stands for an absent field, if v is zero.
func Optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// Time converts t to a protobuf timestamp. It returns nil if t is zero.
func Time(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

// List converts each item of a list.
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
