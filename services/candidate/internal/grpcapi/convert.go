package grpcapi

import (
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/vocabulary"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// null wraps s, or returns nil if s is blank.
func null(s string) *wrapperspb.StringValue {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return wrapperspb.String(s)
}

func timestamp(t time.Time) *timestamppb.Timestamp {
	if t.IsZero() {
		return nil
	}
	return timestamppb.New(t)
}

func mapped[From, To any](list []From, convert func(From) To) []To {
	if len(list) == 0 {
		return nil
	}
	out := make([]To, len(list))
	for i, item := range list {
		out[i] = convert(item)
	}
	return out
}

// The enums of the contract. Their words are the constants in packages application and profile.
var (
	templates     = vocabulary.New[cvrenderv1.CvTemplate]()
	statuses      = vocabulary.New[candidatev1.ApplicationStatus]()
	sources       = vocabulary.New[candidatev1.ApplicationSource]()
	questionTypes = vocabulary.New[partnercatalogv1.QuestionType]()
)
