package grpcapi

import (
	"vitae.internal/pkg/vocabulary"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// The enums in the .proto files. Their words are the constants in packages application and profile.
var (
	templates     = vocabulary.New[cvrenderv1.CvTemplate]()
	statuses      = vocabulary.New[candidatev1.ApplicationStatus]()
	sources       = vocabulary.New[candidatev1.ApplicationSource]()
	questionTypes = vocabulary.New[partnercatalogv1.QuestionType]()
)
