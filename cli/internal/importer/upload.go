package importer

import (
	"context"
	"errors"
	"io"
	"slices"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// pieceSize is what the service takes at a time.
const pieceSize = 1 << 20

// upload sends a resume.
func (s Services) upload(ctx context.Context, d *candidatev1.ResumeDescription, content []byte) (*candidatev1.UploadResumeResponse, error) {
	ctx, cancel := context.WithCancel(ctx) // ends the call when it is left early
	defer cancel()
	call, err := s.Resumes.UploadResume(ctx)
	if err != nil {
		return nil, err
	}
	err = call.Send(&candidatev1.UploadResumeRequest{Piece: &candidatev1.UploadResumeRequest_Description{Description: d}})
	for chunk := range slices.Chunk(content, pieceSize) {
		if err == nil {
			err = call.Send(&candidatev1.UploadResumeRequest{Piece: &candidatev1.UploadResumeRequest_Chunk{Chunk: chunk}})
		}
	}
	// A service that has heard enough ends the call; its answer says why.
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return call.CloseAndRecv()
}
