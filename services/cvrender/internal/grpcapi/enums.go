package grpcapi

import (
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/template"
)

// templateFromProto returns the template for a request. The default is the classic one. Invalid values have
// already been rejected.
func templateFromProto(t cvrenderv1.CvTemplate) template.Name {
	if t == cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT {
		return template.Compact
	}
	return template.Classic
}
