package importer

import (
	"context"
	"errors"
	"io"
	"slices"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// pieceSize is the maximum size of a message, in bytes.
const pieceSize = 1 << 20

func (s Services) upload(ctx context.Context, d *candidatev1.ResumeDescription, content []byte) (*candidatev1.UploadResumeResponse, error) {
	ctx, cancel := context.WithCancel(ctx) // cancels the call if upload returns early
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
	// A service may reject a resume before it has received all of it. CloseAndRecv then returns the reason.
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return call.CloseAndRecv()
}
