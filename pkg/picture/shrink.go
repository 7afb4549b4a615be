package picture

import "image"

// minRatio is the minimum ratio between the shorter side of a shrunk picture and MaxSide.
const minRatio = 2

// shrinkBy returns the factor by which a picture is shrunk before scaling.
func shrinkBy(size image.Point) int { return max(1, min(size.X, size.Y)/(minRatio*MaxSide)) }

// shrunk shrinks a large JPEG by averaging squares of samples. Otherwise, package draw would scale
// the whole picture in floats, which need more memory than the picture itself: 99 MB for 48
// megapixels.
func shrunk(whole image.Image) image.Image {
	size := whole.Bounds().Size()
	by := shrinkBy(size)
	if by == 1 {
		return whole
	}
	small := image.Rect(0, 0, cells(size.X, by), cells(size.Y, by))
	switch m := whole.(type) {
	case *image.Gray:
		out := image.NewGray(small)
		average(out.Pix, out.Stride, m.Pix, m.Stride, size, by)
		return out
	case *image.YCbCr:
		out := image.NewYCbCr(small, m.SubsampleRatio)
		average(out.Y, out.YStride, m.Y, m.YStride, size, by)
		// A chroma sample covers one or more pixels in each direction.
		across, down := sampling(m.SubsampleRatio)
		size = image.Pt(cells(size.X, across), cells(size.Y, down))
		average(out.Cb, out.CStride, m.Cb, m.CStride, size, by)
		average(out.Cr, out.CStride, m.Cr, m.CStride, size, by)
		return out
	default:
		return whole
	}
}

func cells(length, by int) int { return (length + by - 1) / by }

// sampling returns the number of pixels that a chroma sample covers in each direction.
func sampling(ratio image.YCbCrSubsampleRatio) (across, down int) {
	switch ratio {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	default:
		return 1, 1
	}
}

// average divides the plane in, of the given size, into squares with sides of by samples, and
// writes the average of each square to out. Squares at the edges may be smaller.
func average(out []uint8, outStride int, in []uint8, inStride int, size image.Point, by int) {
	for y := 0; y < size.Y; y += by {
		rows := min(by, size.Y-y)
		for x := 0; x < size.X; x += by {
			columns, sum := min(by, size.X-x), 0
			for row := range rows {
				at := (y+row)*inStride + x
				for _, sample := range in[at : at+columns] {
					sum += int(sample)
				}
			}
			out[y/by*outStride+x/by] = uint8((sum + rows*columns/2) / (rows * columns))
		}
	}
}
