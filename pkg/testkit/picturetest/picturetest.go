// Package picturetest creates small image files that are expensive to decode.
package picturetest

import (
	"bytes"
	"encoding/binary"
)

// ProgressiveJPEG returns a progressive JPEG with 3 or 4 components and a single scan, which
// consists of zero bits. It needs an eighth of a byte per block of each component. Four components
// are CMYK in Adobe's format.
func ProgressiveJPEG(width, height, components int) []byte {
	var out bytes.Buffer
	segment := func(marker byte, body []byte) {
		out.Write([]byte{0xff, marker})
		out.Write(binary.BigEndian.AppendUint16(nil, uint16(len(body)+2)))
		out.Write(body)
	}
	out.Write([]byte{0xff, 0xd8})
	if components == 4 {
		segment(0xee, append([]byte("Adobe"), 0, 100, 0, 0, 0, 0, 0))
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...))
	frame := []byte{8, byte(height >> 8), byte(height), byte(width >> 8), byte(width), byte(components)}
	scan := []byte{byte(components)}
	for i := range components {
		frame = append(frame, byte(i+1), 0x11, 0)
		scan = append(scan, byte(i+1), 0)
	}
	segment(0xc2, frame)
	segment(0xc4, append([]byte{0, 1}, make([]byte, 16)...)) // a single 1-bit code, for zero
	segment(0xda, append(scan, 0, 0, 0))                     // the first coefficient of each block
	blocks := (width + 7) / 8 * ((height + 7) / 8) * components
	out.Write(make([]byte, (blocks+7)/8))
	out.Write([]byte{0xff, 0xd9})
	return out.Bytes()
}
