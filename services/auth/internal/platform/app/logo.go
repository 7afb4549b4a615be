package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/picture"
)

const (
	// maxLogo is the maximum size of an uploaded file in bytes, as in the .proto file.
	maxLogo = 1 << 20
	// maxLogoPixels is the maximum number of pixels in a logo: a square of 2,000 by 2,000. It limits the memory
	// needed for decoding to about 60 MB.
	maxLogoPixels = 4_000_000
	// versionLength is the number of bytes of a logo's hash that form its version. A collision would only cause two
	// logos of the same app to be confused.
	versionLength = 12
)

// logoFormats lists the accepted file formats.
var logoFormats = []string{"png", "jpeg", "webp"}

// Logo is a stored logo. The zero Logo means that there is none.
type Logo struct {
	// Version is derived from the logo's bytes, so the URL changes when they do.
	Version string
	JPEG    []byte
}

// Pictures encodes pictures. picture.Encoder implements it.
type Pictures interface {
	// JPEG re-encodes a file as a small JPEG. Errors: picture.ErrUnreadable.
	JPEG(ctx context.Context, file []byte) ([]byte, error)
}

// logo re-encodes an uploaded file (behaviour: apps#logos), and adds the validation errors in the file. It checks
// the dimensions before it decodes the pixels.
func (s *Service) logo(ctx context.Context, faults *fault.List, file []byte) (Logo, error) {
	const path = "logo"
	if len(file) == 0 {
		return Logo{}, nil
	}
	if len(file) > maxLogo {
		faults.Add(path, "must be at most 1 MiB")
		return Logo{}, nil
	}
	f, err := picture.Inspect(file)
	switch {
	case err != nil || !slices.Contains(logoFormats, f.Format()):
		faults.Add(path, "must be a PNG, JPEG or WebP file that can be read")
		return Logo{}, nil //nolint:nilerr // the error has been added to faults
	case f.Pixels > maxLogoPixels:
		faults.Add(path, "must have at most 4 megapixels")
		return Logo{}, nil
	}
	jpeg, err := s.pictures.JPEG(ctx, file)
	if errs.HasCode(err, picture.ErrUnreadable.Code) {
		faults.Add(path, "must be a PNG, JPEG or WebP file that can be read")
		return Logo{}, nil
	}
	if err != nil {
		return Logo{}, err
	}
	sum := sha256.Sum256(jpeg)
	return Logo{Version: hex.EncodeToString(sum[:versionLength]), JPEG: jpeg}, nil
}

// Logo returns an app's logo if version is its current version. Errors: ErrLogoNotFound.
func (s *Service) Logo(ctx context.Context, appID, version string) ([]byte, error) {
	if !fault.IsStorable(appID) || !fault.IsStorable(version) {
		return nil, ErrLogoNotFound
	}
	return s.store.Logo(ctx, appID, version)
}
