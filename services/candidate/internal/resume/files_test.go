package resume

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// Test files for this package, built by hand.

func pdfFile() []byte { return []byte("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n") }

func rtfFile() []byte { return []byte(`{\rtf1\ansi Layla Haddad\par}`) }

func zipFile(names ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.Create(name)
		if err != nil {
			panic(err)
		}
		if _, err := f.Write([]byte("<xml/>")); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func docxFile() []byte { return zipFile("[Content_Types].xml", "_rels/.rels", "word/document.xml") }

// cfbNone means both "no entry" and "free sector". cfbEnd marks the end of a chain.
const cfbNone, cfbEnd = 0xffffffff, 0xfffffffe

// object is a directory entry of a compound file.
type object struct {
	name               string
	kind               byte // 1 storage, 2 stream, 5 root
	left, right, child uint32
}

// compoundFile returns a compound file with sectors of 512 bytes. The directory comes first, as a
// chain that runs backward, followed by the allocation table.
func compoundFile(objects ...object) []byte {
	const perSector = 4
	dirs := (len(objects) + perSector - 1) / perSector
	file := make([]byte, (1+dirs+1)*512)
	copy(file, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") // [MS-CFB] §2.2
	u16 := func(at int, v uint16) { binary.LittleEndian.PutUint16(file[at:], v) }
	u32 := func(at int, v uint32) { binary.LittleEndian.PutUint32(file[at:], v) }
	u16(24, 0x3e)
	u16(26, 3)
	u16(28, 0xfffe)
	u16(30, 9)
	u32(44, 1)
	u32(48, uint32(dirs-1))
	u32(68, cfbEnd)
	for i := range 109 {
		u32(76+4*i, cfbNone)
	}
	u32(76, uint32(dirs))
	for i, o := range objects {
		sector := dirs - 1 - i/perSector
		at := (1+sector)*512 + i%perSector*128
		units := utf16.Encode([]rune(o.name))
		for k, unit := range units {
			u16(at+2*k, unit)
		}
		u16(at+64, uint16(2*len(units)+2))
		file[at+66] = o.kind
		u32(at+68, o.left)
		u32(at+72, o.right)
		u32(at+76, o.child)
	}
	fat := (1 + dirs) * 512
	for sector := range dirs {
		next := uint32(cfbEnd)
		if sector > 0 {
			next = uint32(sector - 1)
		}
		u32(fat+4*sector, next)
	}
	return file
}

func stream(name string, right uint32) object {
	return object{name: name, kind: 2, left: cfbNone, right: right, child: cfbNone}
}

func root(child uint32) object {
	return object{name: "Root Entry", kind: 5, left: cfbNone, right: cfbNone, child: child}
}

// docFile returns a compound file in which the document's entry is in the second directory sector.
func docFile() []byte {
	return compoundFile(root(1), stream("1Table", 2), stream("\x05SummaryInformation", 3), stream("Data", 4), stream("WordDocument", cfbNone))
}
