// Package renderer is the client of service cvrender: it has the PDFs of exports made.
package renderer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/vocabulary"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/projection"
)

// templates are the words of the contract.
var templates = vocabulary.New[cvrenderv1.CvTemplate]()

// maxDocument bounds the memory of one PDF, in bytes.
const maxDocument = 32 << 20

// within bounds a PDF. It is shorter than the hold of a worker on its export.
const within = 40 * time.Second

// Client implements export.Renderer.
type Client struct {
	renders cvrenderv1.CvRenderServiceClient
	encode  func(projection.SharedCv) *cvv1.SharedCv
}

var _ export.Renderer = (*Client)(nil)

// New makes a client on a connection of grpcx.Dial, which stays the caller's. encode gives the
// message of a projection.
func New(conn grpc.ClientConnInterface, encode func(projection.SharedCv) *cvv1.SharedCv) (*Client, error) {
	if conn == nil || encode == nil {
		return nil, errors.New("renderer: a connection and an encoding are required")
	}
	return &Client{renders: cvrenderv1.NewCvRenderServiceClient(conn), encode: encode}, nil
}

var errCut = errors.New("renderer: the stream does not hold the document that its head announces")

func (c *Client) Render(ctx context.Context, personID string, cv projection.SharedCv) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	stream, err := c.renders.RenderCv(ctx, &cvrenderv1.RenderCvRequest{
		Cv: c.encode(cv), Template: templates.Value(string(cv.Template)), Share: personID,
	})
	if err != nil {
		return nil, fmt.Errorf("renderer: %w", err)
	}
	first, err := stream.Recv()
	if err != nil {
		return nil, fmt.Errorf("renderer: %w", err)
	}
	size := first.GetHead().GetSize()
	if size <= 0 || size > maxDocument {
		return nil, errCut
	}
	body := make([]byte, 0, size)
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("renderer: %w", err)
		}
		if body = append(body, part.GetChunk()...); int64(len(body)) > size {
			return nil, errCut
		}
	}
	if int64(len(body)) != size {
		return nil, errCut
	}
	return body, nil
}
