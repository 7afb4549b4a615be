package grpcapi

import (
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/fault"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/resume"
)

// downloadChunk is the size, in bytes, of each message in a download.
const downloadChunk = 64 << 10

type resumeServer struct {
	candidatev1.UnimplementedResumeServiceServer
	resumes *resume.Service
}

func (s *resumeServer) UploadResume(stream grpc.ClientStreamingServer[candidatev1.UploadResumeRequest, candidatev1.UploadResumeResponse]) error {
	first, err := stream.Recv()
	if errors.Is(err, io.EOF) || err == nil && first.GetDescription() == nil {
		return fault.Of(fault.CodeArgument, "description", "must come first")
	}
	if err != nil {
		return err
	}
	description := first.GetDescription()
	if description.GetValidateOnly() {
		audit.FromContext(stream.Context()).Skip()
	}
	kept, err := s.resumes.Upload(stream.Context(), resume.Upload{
		PersonID:     description.GetPersonId(),
		Filename:     description.GetFilename(),
		ValidateOnly: description.GetValidateOnly(),
	}, &chunks{stream: stream})
	if err != nil {
		return err
	}
	return stream.SendAndClose(&candidatev1.UploadResumeResponse{
		ResumeId: kept.ID, ContentType: kept.ContentType, Size: int32(kept.Size),
	})
}

// chunks reads the bytes of an upload from a stream of messages.
type chunks struct {
	stream interface {
		Recv() (*candidatev1.UploadResumeRequest, error)
	}
	rest []byte
}

func (c *chunks) Read(into []byte) (int, error) {
	for len(c.rest) == 0 {
		piece, err := c.stream.Recv()
		if err != nil {
			return 0, err
		}
		if piece.GetDescription() != nil {
			return 0, fault.Of(fault.CodeArgument, "description", "must come once")
		}
		c.rest = piece.GetChunk()
	}
	n := copy(into, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (s *resumeServer) DownloadResume(req *candidatev1.DownloadResumeRequest, stream grpc.ServerStreamingServer[candidatev1.DownloadResumeResponse]) error {
	file, content, err := s.resumes.Download(stream.Context(), req.GetQuery())
	if err != nil {
		return err
	}
	defer content.Close()
	err = stream.Send(&candidatev1.DownloadResumeResponse{Piece: &candidatev1.DownloadResumeResponse_File{File: &candidatev1.ResumeFile{
		Filename: file.Filename, ContentType: file.ContentType, Size: int32(file.Size),
	}}})
	if err != nil {
		return err
	}
	return sendAll(content, int64(file.Size), func(piece []byte) error {
		return stream.Send(&candidatev1.DownloadResumeResponse{Piece: &candidatev1.DownloadResumeResponse_Chunk{Chunk: piece}})
	})
}

// sendAll sends size bytes of content in pieces. It fails if content has fewer bytes, so the caller
// never mistakes part of a file for the whole.
func sendAll(content io.Reader, size int64, send func(piece []byte) error) error {
	for left := size; left > 0; {
		piece := make([]byte, min(left, downloadChunk))
		if _, err := io.ReadFull(content, piece); err != nil {
			return fmt.Errorf("read file: %w", err)
		}
		left -= int64(len(piece))
		if err := send(piece); err != nil {
			return err
		}
	}
	return nil
}
