package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/disposition"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	exportFilename = "vitae-export.zip"
	// downloadWithin limits how long a download may take. For an export of 100 MB, this requires 180 kB/s.
	downloadWithin = 10 * time.Minute
	// codeExportGone is the candidate service's error code for an export that no longer exists.
	codeExportGone = "EXPORT_NOT_FOUND"
)

var errExportCut = errors.New("pages: candidate's stream does not hold the export that it announces")

// download sends an export. As with deletion, the route requires re-authentication, and the candidate service
// checks the session as well, so a stranger at an unlocked browser cannot get a copy of everything.
func (p dataPages) download(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	// The timeout for pages is too short for a file. If the browser disconnects, the next write fails and
	// ends the download.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), downloadWithin)
	defer cancel()
	stream, err := p.exports.DownloadExport(ctx, &candidatev1.DownloadExportRequest{SessionToken: who.Token, ExportId: r.PathValue("id")})
	if err != nil {
		return err
	}
	head, err := stream.Recv()
	if errs.HasCode(err, codeExportGone) {
		return p.GoTo(w, dataPath, "refused.export_gone", "")
	}
	if err != nil {
		return err
	}
	if head.GetSize() <= 0 {
		return errExportCut
	}
	if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(downloadWithin)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Length", strconv.FormatInt(head.GetSize(), 10))
	header.Set("Content-Disposition", disposition.Attachment(exportFilename, exportFilename))
	header.Set(web.PolicyHeader, "default-src 'none'; sandbox")
	w.WriteHeader(http.StatusOK)
	if err := copyExport(w, stream, head.GetSize()); err != nil {
		p.log.WarnContext(r.Context(), "export cut", "request_id", grpcx.RequestID(r.Context()), "error", err)
		panic(http.ErrAbortHandler) // so that no browser mistakes part of the file for the whole
	}
	return nil
}

// copyExport writes an export of size bytes from a stream.
func copyExport(w http.ResponseWriter, stream grpc.ServerStreamingClient[candidatev1.DownloadExportResponse], size int64) error {
	for left := size; left > 0; {
		piece, err := stream.Recv()
		if err != nil {
			return err
		}
		chunk := piece.GetChunk()
		if left -= int64(len(chunk)); left < 0 || len(chunk) == 0 {
			return fmt.Errorf("%w: %d bytes are left", errExportCut, left)
		}
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}
