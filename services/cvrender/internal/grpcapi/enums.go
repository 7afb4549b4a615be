package grpcapi

import (
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/template"
)

// templateFromProto gives the template of a request: the classic one for a caller that names
// none. Names that do not exist were refused before.
func templateFromProto(t cvrenderv1.CvTemplate) template.Name {
	if t == cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT {
		return template.Compact
	}
	return template.Classic
}
