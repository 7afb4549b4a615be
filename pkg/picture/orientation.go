package picture

import (
	"bytes"
	"encoding/binary"
	"image"
)

// orientationTag is the EXIF tag for the orientation of the camera (Exif 2.32, 4.6.4).
const orientationTag = 0x0112

// orientation returns the EXIF orientation of a JPEG, from 1 (upright) to 8, or 1 if it is missing or
// unreadable.
func orientation(file []byte) int {
	exif := exifOf(file)
	if len(exif) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(exif[:2]) {
	case "II":
		order = binary.LittleEndian
	case "MM":
		order = binary.BigEndian
	default:
		return 1
	}
	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return 1
	}
	count := int64(order.Uint16(exif[at:]))
	for i := range count {
		e := at + 2 + i*12
		if e+12 > int64(len(exif)) {
			return 1
		}
		if order.Uint16(exif[e:]) == orientationTag {
			if o := int(order.Uint16(exif[e+8:])); o >= 1 && o <= 8 {
				return o
			}
			return 1
		}
	}
	return 1
}

// exifOf returns the TIFF structure in the APP1 segment of a JPEG, or nil if there is none.
func exifOf(file []byte) []byte {
	for at := 2; at+4 <= len(file) && file[at] == 0xff; {
		marker, size := file[at+1], int(binary.BigEndian.Uint16(file[at+2:]))
		if marker == 0xda || size < 2 || at+2+size > len(file) {
			return nil // the image data starts, or the segment is invalid
		}
		body := file[at+4 : at+2+size]
		if marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return body[6:]
		}
		at += 2 + size
	}
	return nil
}

// upright turns a picture according to its EXIF orientation. An orientation of 5 or more swaps width
// and height.
func upright(m *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return m
	}
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	right, bottom := w-1, h-1 // edges of the stored picture
	out := image.NewRGBA(size)
	for y := range size.Dy() {
		for x := range size.Dx() {
			// (fx, fy) is the source of the pixel at (x, y).
			fx, fy := x, y
			switch orientation {
			case 2:
				fx, fy = right-x, y
			case 3:
				fx, fy = right-x, bottom-y
			case 4:
				fx, fy = x, bottom-y
			case 5:
				fx, fy = y, x
			case 6:
				fx, fy = y, bottom-x
			case 7:
				fx, fy = right-y, bottom-x
			case 8:
				fx, fy = right-y, x
			}
			out.SetRGBA(x, y, m.RGBAAt(fx, fy))
		}
	}
	return out
}
