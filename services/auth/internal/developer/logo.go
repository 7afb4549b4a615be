package developer

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
	// maxLogo bounds an uploaded file in bytes, as the contract does.
	maxLogo = 1 << 20
	// maxLogoPixels bounds the memory of decoding one to some 60 MB. It is a square of 2,000
	// pixels.
	maxLogoPixels = 4_000_000
	// versionLength is how much of the hash of a logo names its version, in bytes. Whoever
	// finds two logos with the same version has two logos of one app.
	versionLength = 12
)

// logoFormats are the kinds of files that are taken.
var logoFormats = []string{"png", "jpeg", "webp"}

// Logo is a picture of ours. The zero Logo is none.
type Logo struct {
	// Version is made of the bytes, so that its address changes with them.
	Version string
	JPEG    []byte
}

// Pictures makes pictures of ours. picture.Encoder implements it.
type Pictures interface {
	// JPEG gives the picture in a file as a small JPEG. Errors: picture.ErrUnreadable.
	JPEG(ctx context.Context, file []byte) ([]byte, error)
}

// logo encodes an uploaded file anew (behaviour: apps#logos), and adds what is wrong with
// it to faults. Nothing of it is decoded before its size is known.
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
		return Logo{}, nil //nolint:nilerr // it stands among the faults
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

// Logo gives the logo of an app, if that is the version that it has now. Errors:
// ErrLogoNotFound.
func (s *Service) Logo(ctx context.Context, appID, version string) ([]byte, error) {
	if !fault.IsStorable(appID) || !fault.IsStorable(version) {
		return nil, ErrLogoNotFound
	}
	return s.store.Logo(ctx, appID, version)
}
