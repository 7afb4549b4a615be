package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"

	"golang.org/x/image/riff"
)

// cost is the most memory that a decoder uses, in bytes.
type cost struct {
	// decoding is the peak while the file is decoded, picture the size of the decoded picture.
	decoding, picture int64
}

// atMost is the peak of decoding and then scaling. Before the picture is scaled, all of the decoder's
// memory but the picture is free.
func (c cost) atMost(scaling int64) int64 { return max(c.decoding, c.picture+scaling) }

// costOf returns the cost of a file in the decoders of Go's standard library and x/image.
func costOf(file []byte, format string, conf image.Config) cost {
	pixels := int64(conf.Width) * int64(conf.Height)
	switch format {
	case "jpeg":
		return jpegCost(file, conf)
	case "png":
		return pngCost(file, conf)
	case "gif":
		return cost{decoding: 2 * pixels, picture: pixels} // twice while an interlaced one is put in order
	case "webp":
		return webpCost(file, conf)
	default:
		return cost{decoding: 4 * pixels, picture: 4 * pixels}
	}
}

// scalingCost is what a shrunk picture takes, and draw.Kernel.Scale: four floats for each pixel of
// the picture scaled in width alone, and weights for each column and row.
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

// jpegCost counts the planes of the components, their coefficients if the file is progressive, and
// the picture of another colour model that is made of the planes. A file without a frame header
// that can be read is taken for the largest.
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
	// sampling has the horizontal and vertical factors of the components.
	sampling [][2]int64
}

// jpegFrame finds the frame header as image/jpeg does.
func jpegFrame(file []byte) (f frame, ok bool) {
	for at := 2; at+4 <= len(file); {
		switch marker := file[at+1]; {
		case file[at] != 0xff || marker == 0xff:
			at++ // what is between segments is skipped
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

// pngCost counts the picture, the passes of an interlaced one, and two rows.
func pngCost(file []byte, conf image.Config) cost {
	const interlaceAt = 28 // in a file that begins with the header chunk
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

// webpCost counts the chunks that x/image/webp decodes: a lossy picture (VP8), and a lossless one
// (VP8L) or alpha channel (ALPH, which is decoded as a lossless picture). It walks the chunks with
// the decoder's own reader, so both see the same ones.
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

// vp8Cost counts the planes, the state of each macroblock, and the partitions. The decoder allocates
// these by the lengths in their headers, before it reads them.
func vp8Cost(pixels, length int64) int64 {
	const firstPartition = 1 << 19 // its length has 19 bits (RFC 6386 9.1)
	return 3*pixels/2 + pixels/16 + firstPartition + length
}

// vp8lCost counts a picture that is stored with a palette, with an alpha channel made of it, and the
// Huffman trees.
func vp8lCost(pixels, length int64) int64 {
	const (
		// x/image/vp8l reads at most 2600 groups of five trees, of which treeTables is what their tables
		// take and trees what their nodes do. treeWeight is what a byte of the chunk makes of nodes
		// at most: a code length of three bits stands for six symbols, each with two nodes of 8 bytes.
		treeTables = 8 << 20
		trees      = 140 << 20
		treeWeight = 270
	)
	return 9*pixels + treeTables + min(trees, treeWeight*length)
}
