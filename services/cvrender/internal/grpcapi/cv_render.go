package grpcapi

import (
	"google.golang.org/grpc"

	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/render"
)

// chunkSize is the maximum size of a chunk of a document, in bytes (cvrender.proto, RenderCv).
const chunkSize = 256 << 10

// RenderCv sends nothing until the document is complete.
func (a *API) RenderCv(req *cvrenderv1.RenderCvRequest, stream grpc.ServerStreamingServer[cvrenderv1.RenderCvResponse]) error {
	result, err := a.Renderer.Render(stream.Context(), render.Request{
		CV: Cleaned(req.GetCv()), Template: templateFromProto(req.GetTemplate()), Share: req.GetShare(), Known: req.GetKnownEtags(),
	})
	if err != nil {
		return err
	}
	head := &cvrenderv1.RenderCvHead{
		Etag: result.ETag, Size: int64(len(result.PDF)), NotModified: result.NotModified, Filename: result.Filename,
	}
	if err := stream.Send(&cvrenderv1.RenderCvResponse{Part: &cvrenderv1.RenderCvResponse_Head{Head: head}}); err != nil {
		return err
	}
	for rest := result.PDF; len(rest) > 0; {
		n := min(chunkSize, len(rest))
		if err := stream.Send(&cvrenderv1.RenderCvResponse{Part: &cvrenderv1.RenderCvResponse_Chunk{Chunk: rest[:n]}}); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}
