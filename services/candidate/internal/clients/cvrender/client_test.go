package cvrender_test

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/candidate/internal/clients/cvrender"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
)

// refusing is a stream that records the request and then fails.
type refusing struct {
	grpc.ClientConnInterface
	request *cvrenderv1.RenderCvRequest
}

var errRefused = errors.New("refused")

func (r *refusing) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return &stream{of: r}, nil
}

type stream struct {
	grpc.ClientStream
	of *refusing
}

func (s *stream) SendMsg(m any) error {
	s.of.request = m.(*cvrenderv1.RenderCvRequest)
	return nil
}

func (s *stream) CloseSend() error { return nil }

func (s *stream) RecvMsg(any) error { return errRefused }

func TestPDFUsesTemplateOfCV(t *testing.T) {
	t.Parallel()
	for template, want := range map[profile.Template]cvrenderv1.CvTemplate{
		profile.Classic: cvrenderv1.CvTemplate_CV_TEMPLATE_CLASSIC,
		profile.Compact: cvrenderv1.CvTemplate_CV_TEMPLATE_COMPACT,
	} {
		conn := &refusing{}
		c := cvrender.New(conn)
		if _, err := c.Render(t.Context(), "usr_1", projection.SharedCv{SharedCv: &cvv1.SharedCv{Language: "ar"}, Template: template}); !errors.Is(err, errRefused) {
			t.Errorf("%s: %v", template, err)
		}
		if got := conn.request; got.GetTemplate() != want || got.GetShare() != "usr_1" || got.GetCv().GetLanguage() != "ar" {
			t.Errorf("%s: request is %v", template, got)
		}
	}
}
