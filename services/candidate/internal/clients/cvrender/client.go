// Package cvrender is the client for the cvrender service, which renders the PDFs in exports.
package cvrender

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/vocabulary"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/projection"
)

var templates = vocabulary.New[cvrenderv1.CvTemplate]()

// maxDocument is the maximum size of a PDF in bytes.
const maxDocument = 32 << 20

// within limits how long it may take to render a PDF. It is shorter than the lease on an export.
const within = 40 * time.Second

// Client calls the cvrender service.
type Client struct {
	renders cvrenderv1.CvRenderServiceClient
}

var _ export.Renderer = (*Client)(nil)

// New returns a Client that uses conn, a connection from grpcx.Dial. The caller must close conn.
func New(conn grpc.ClientConnInterface) *Client {
	return &Client{renders: cvrenderv1.NewCvRenderServiceClient(conn)}
}

var errIncomplete = errors.New("cvrender client: the document does not have the announced size")

func (c *Client) Render(ctx context.Context, personID string, cv projection.SharedCv) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	stream, err := c.renders.RenderCv(ctx, &cvrenderv1.RenderCvRequest{
		Cv: cv.SharedCv, Template: templates.Value(string(cv.Template)), Share: personID,
	})
	if err != nil {
		return nil, fmt.Errorf("cvrender client: %w", err)
	}
	first, err := stream.Recv()
	if err != nil {
		return nil, fmt.Errorf("cvrender client: %w", err)
	}
	size := first.GetHead().GetSize()
	if size <= 0 || size > maxDocument {
		return nil, errIncomplete
	}
	body := make([]byte, 0, size)
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("cvrender client: %w", err)
		}
		if body = append(body, part.GetChunk()...); int64(len(body)) > size {
			return nil, errIncomplete
		}
	}
	if int64(len(body)) != size {
		return nil, errIncomplete
	}
	return body, nil
}
