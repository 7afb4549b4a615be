package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"

	"golang.org/x/image/riff"
)

// cost is the maximum memory that a decoder needs, in bytes.
type cost struct {
	// decoding is the peak during decoding, and picture is the size of the decoded picture.
	decoding, picture int64
}

// atMost returns the peak of decoding followed by scaling. When scaling starts, only the decoded
// picture remains of the decoder's memory.
func (c cost) atMost(scaling int64) int64 { return max(c.decoding, c.picture+scaling) }

// costOf returns the cost of decoding a file with Go's standard library and x/image.
func costOf(file []byte, format string, conf image.Config) cost {
	pixels := int64(conf.Width) * int64(conf.Height)
	switch format {
	case "jpeg":
		return jpegCost(file, conf)
	case "png":
		return pngCost(file, conf)
	case "gif":
		return cost{decoding: 2 * pixels, picture: pixels} // twice the size while interlaced rows are reordered
	case "webp":
		return webpCost(file, conf)
	default:
		return cost{decoding: 4 * pixels, picture: 4 * pixels}
	}
}

// scalingCost returns the memory needed to shrink the picture, and by draw.Kernel.Scale: four floats
// per pixel of the picture after its width was scaled, and weights for each column and row.
func scalingCost(format string, conf image.Config) int64 {
	size, before := image.Pt(conf.Width, conf.Height), int64(0)
	if format == "jpeg" && (conf.ColorModel == color.YCbCrModel || conf.ColorModel == color.GrayModel) {
		if by := shrinkBy(size); by > 1 {
			size = image.Pt(cells(size.X, by), cells(size.Y, by))
			before = 3 * int64(size.X) * int64(size.Y)
		}
	}
	small := fitting(size)
	columnsAndRows := int64(size.X + size.Y + small.X + small.Y)
	return before + 4*8*int64(small.X)*int64(size.Y) + 64*columnsAndRows
}

// jpegCost returns the memory for the component planes, the coefficients if the file is progressive, and
// the conversion to a different color model. A file without a readable frame header gets the highest
// cost.
func jpegCost(file []byte, conf image.Config) cost {
	f, ok := jpegFrame(file)
	if !ok {
		f = frame{progressive: true, sampling: [][2]int64{{1, 1}, {1, 1}, {1, 1}, {1, 1}}}
	}
	if len(f.sampling) == 1 {
		f.sampling[0] = [2]int64{1, 1} // T.81 A.2.2
	}
	across := ceil(int64(conf.Width), 8*f.sampling[0][0])
	down := ceil(int64(conf.Height), 8*f.sampling[0][1])
	var blocks, converted int64
	for _, s := range f.sampling {
		blocks += across * down * s[0] * s[1]
	}
	if conf.ColorModel == color.CMYKModel || conf.ColorModel == color.RGBAModel {
		converted = 4 * int64(conf.Width) * int64(conf.Height)
	}
	const block = 8 * 8
	c := cost{decoding: blocks*block + converted, picture: blocks * block}
	if converted > 0 {
		c.picture = converted
	}
	if f.progressive {
		c.decoding += 4 * blocks * block
	}
	return c
}

func ceil(n, by int64) int64 { return (n + by - 1) / by }

// frame is the frame header of a JPEG (ITU-T T.81 B.2.2).
type frame struct {
	progressive bool
	// sampling holds the horizontal and vertical sampling factors of the components.
	sampling [][2]int64
}

// jpegFrame finds the frame header in the same way as image/jpeg.
func jpegFrame(file []byte) (f frame, ok bool) {
	for at := 2; at+4 <= len(file); {
		switch marker := file[at+1]; {
		case file[at] != 0xff || marker == 0xff:
			at++ // skip bytes between segments
		case marker == 0 || marker >= 0xd0 && marker <= 0xd7:
			at += 2
		case marker == 0xc0 || marker == 0xc1 || marker == 0xc2:
			return readFrame(marker == 0xc2, file[at+4:])
		case marker == 0xd9 || marker == 0xda:
			return frame{}, false
		default:
			at += 2 + int(binary.BigEndian.Uint16(file[at+2:]))
		}
	}
	return frame{}, false
}

func readFrame(progressive bool, header []byte) (f frame, ok bool) {
	const before, each = 6, 3
	if len(header) < before || header[5] == 0 || len(header) < before+each*int(header[5]) {
		return frame{}, false
	}
	f.progressive = progressive
	for i := range int(header[5]) {
		factors := header[before+each*i+1]
		across, down := int64(factors>>4), int64(factors&15)
		if across < 1 || down < 1 {
			return frame{}, false
		}
		f.sampling = append(f.sampling, [2]int64{across, down})
	}
	return f, true
}

// pngCost returns the memory for the picture, the passes if it is interlaced, and two rows.
func pngCost(file []byte, conf image.Config) cost {
	const interlaceAt = 28 // the offset if the header chunk is first
	size := int64(4)
	switch conf.ColorModel {
	case color.Gray16Model, color.RGBA64Model, color.NRGBA64Model:
		size = 8
	}
	picture := size * int64(conf.Width) * int64(conf.Height)
	c := cost{decoding: picture + 2*size*int64(conf.Width), picture: picture}
	if len(file) <= interlaceAt || string(file[12:16]) != "IHDR" || file[interlaceAt] != 0 {
		c.decoding += picture
	}
	return c
}

// webpCost returns the memory for the chunks that x/image/webp decodes: a lossy picture (VP8), and a
// lossless picture (VP8L) or alpha channel (ALPH, which is decoded like a lossless picture). It uses
// the decoder's reader, so that both find the same chunks.
func webpCost(file []byte, conf image.Config) cost {
	const block = 16 // a lossy picture is padded to whole macroblocks
	pixels := block * ceil(int64(conf.Width), block) * block * ceil(int64(conf.Height), block)
	var c cost
	_, chunks, err := riff.NewReader(bytes.NewReader(file))
	for err == nil {
		var id riff.FourCC
		var length uint32
		if id, length, _, err = chunks.Next(); err != nil {
			break
		}
		switch string(id[:]) {
		case "VP8 ":
			return cost{decoding: max(c.decoding, c.picture+vp8Cost(pixels, int64(length))), picture: c.picture + 3*pixels/2}
		case "VP8L":
			return cost{decoding: max(c.decoding, vp8lCost(pixels, int64(length))), picture: 4 * pixels}
		case "ALPH":
			c = cost{decoding: vp8lCost(pixels, int64(length)), picture: pixels}
		}
	}
	return c
}

// vp8Cost returns the memory for the planes, the state of each macroblock, and the partitions, which the
// decoder allocates according to the lengths in their headers before it reads them.
func vp8Cost(pixels, length int64) int64 {
	const firstPartition = 1 << 19 // its length has 19 bits (RFC 6386 9.1)
	return 3*pixels/2 + pixels/16 + firstPartition + length
}

// vp8lCost returns the memory for a picture with a palette, an alpha channel derived from it, and the
// Huffman trees.
func vp8lCost(pixels, length int64) int64 {
	const (
		// x/image/vp8l reads at most 2600 groups of five trees. treeTables is the memory for their
		// tables, and trees the memory for their nodes. treeWeight is the maximum node memory per
		// byte of the chunk: a code length of three bits represents six symbols, with two nodes of 8
		// bytes each.
		treeTables = 8 << 20
		trees      = 140 << 20
		treeWeight = 270
	)
	return 9*pixels + treeTables + min(trees, treeWeight*length)
}
