// Package convert contains conversions that several packages use.
package convert

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// TimeFromProto converts a timestamp, truncated to microseconds, the precision of Postgres.
func TimeFromProto(t *timestamppb.Timestamp) *time.Time {
	if t == nil {
		return nil
	}
	at := t.AsTime().Truncate(time.Microsecond)
	return &at
}

func TimeToProto(t *time.Time) *timestamppb.Timestamp {
	if t == nil {
		return nil
	}
	return timestamppb.New(*t)
}
