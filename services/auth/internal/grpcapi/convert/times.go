// Package convert contains conversions shared by several packages.
package convert

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// TimeFromProto converts a timestamp and truncates it to microseconds, the precision of Postgres.
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
