package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// file holds the objects of a PDF by number. It supports only the format that Skia writes: one
// cross-reference table, no object streams, generation 0, and the length of every stream in its
// dictionary (ISO 32000-1, 7.5).
type file struct {
	header  []byte
	objects map[int]*object
	// root and info are the object numbers of the catalog and the information dictionary.
	root, info int
	// last is the largest object number.
	last int
}

// object is a dictionary, an array or another value, together with its stream, if it has one.
type object struct {
	value []byte
	// stream is the stream as it is encoded in the file. It is nil if the object has none.
	stream []byte
}

// maxStream is the maximum size of a decompressed stream, in bytes. The content of one page of a CV
// takes about 100,000 bytes.
const maxStream = 32 << 20

var (
	errTable  = errors.New("pdf: no cross-reference table as Skia writes it")
	errObject = errors.New("pdf: an object that Skia would not write")
)

// read parses a file. The objects share the memory of b.
func read(b []byte) (*file, error) {
	at := bytes.LastIndex(b, []byte("startxref"))
	if at < 0 {
		return nil, errTable
	}
	table, err := strconv.Atoi(string(firstField(b[at+len("startxref"):])))
	if err != nil || table < 0 || table >= at {
		return nil, errTable
	}
	offsets, trailer, err := readTable(b[table:at])
	if err != nil {
		return nil, err
	}
	f := &file{objects: make(map[int]*object, len(offsets))}
	first := len(b)
	for number, offset := range offsets {
		if offset >= table {
			return nil, errTable
		}
		if f.objects[number], err = readObject(b[offset:table], number); err != nil {
			return nil, fmt.Errorf("object %d: %w", number, err)
		}
		first = min(first, offset)
		f.last = max(f.last, number)
	}
	f.header = b[:first]
	trailer = bytes.TrimSpace(trailer)
	f.root, f.info = reference(trailer, "Root"), reference(trailer, "Info")
	for _, n := range []int{f.root, f.info} {
		if f.objects[n] == nil || !bytes.HasPrefix(f.objects[n].value, []byte("<<")) {
			return nil, errTable
		}
	}
	return f, nil
}

// readTable returns the offsets of the objects, and the trailer.
func readTable(b []byte) (offsets map[int]int, trailer []byte, err error) {
	table, trailer, found := bytes.Cut(b, []byte("trailer"))
	lines := bytes.Split(table, []byte("\n"))
	if !found || len(lines) < 3 || string(bytes.TrimSpace(lines[0])) != "xref" {
		return nil, nil, errTable
	}
	bounds := bytes.Fields(lines[1])
	if len(bounds) != 2 || string(bounds[0]) != "0" {
		return nil, nil, errTable
	}
	offsets = map[int]int{}
	for number, line := range lines[2:] {
		entry := bytes.Fields(line)
		if len(entry) != 3 || string(entry[2]) != "n" {
			continue
		}
		offset, err := strconv.Atoi(string(entry[0]))
		if err != nil {
			return nil, nil, errTable
		}
		offsets[number] = offset
	}
	return offsets, trailer, nil
}

// readObject parses the object at the beginning of b.
func readObject(b []byte, number int) (*object, error) {
	rest, found := bytes.CutPrefix(b, fmt.Appendf(nil, "%d 0 obj", number))
	if !found {
		return nil, errObject
	}
	s := scanner{rest: rest}
	value, kind := s.token()
	if kind == keyword && string(value) == "endobj" || kind == nothing {
		return nil, errObject
	}
	o := &object{value: value}
	next, _ := s.token()
	if string(next) != "stream" {
		return o, nil
	}
	length, ok := integer(o.value, "Length")
	data := bytes.TrimPrefix(bytes.TrimPrefix(s.rest, []byte("\r")), []byte("\n"))
	if !ok || length < 0 || length > len(data) {
		return nil, errObject
	}
	o.stream = data[:length:length]
	return o, nil
}

// write returns the encoded file. The same objects always produce the same bytes.
func (f *file) write() []byte {
	numbers := make([]int, 0, len(f.objects))
	for n := range f.objects {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	size := numbers[len(numbers)-1] + 1
	offsets := make([]int, size)
	out := bytes.NewBuffer(make([]byte, 0, 128<<10))
	out.Write(f.header)
	for _, n := range numbers {
		offsets[n] = out.Len()
		o := f.objects[n]
		fmt.Fprintf(out, "%d 0 obj\n%s", n, o.value)
		if o.stream != nil {
			out.WriteString(" stream\n")
			out.Write(o.stream)
			out.WriteString("\nendstream")
		}
		out.WriteString("\nendobj\n")
	}
	table := out.Len()
	fmt.Fprintf(out, "xref\n0 %d\n", size)
	for n, offset := range offsets {
		if f.objects[n] == nil {
			out.WriteString("0000000000 65535 f \n")
		} else {
			fmt.Fprintf(out, "%010d 00000 n \n", offset)
		}
	}
	id := identifier(out.Bytes())
	fmt.Fprintf(out, "trailer\n<</Size %d\n/Root %d 0 R\n/Info %d 0 R\n/ID [<%s> <%s>]>>\nstartxref\n%d\n%%%%EOF\n", size, f.root, f.info, id, id, table)
	return out.Bytes()
}

// add adds an object and returns its number.
func (f *file) add(o *object) int {
	f.last++
	f.objects[f.last] = o
	return f.last
}

// setStream replaces an object's stream with data, which it compresses. extra contains additional
// entries for the stream's dictionary. It must not contain the length and the filter, which
// setStream adds.
func (o *object) setStream(data []byte, extra string) error {
	var packed bytes.Buffer
	w, err := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	if err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	o.stream = packed.Bytes()
	o.value = fmt.Appendf(nil, "<<%s/Filter /FlateDecode /Length %d>>", extra, packed.Len())
	return nil
}

// data returns an object's decompressed stream.
func (o *object) data() ([]byte, error) {
	if o == nil || o.stream == nil {
		return nil, errObject
	}
	if filter := entry(o.value, "Filter"); filter == nil {
		return o.stream, nil
	} else if string(filter) != "/FlateDecode" {
		return nil, fmt.Errorf("%w: filter %s", errObject, filter)
	}
	r, err := zlib.NewReader(bytes.NewReader(o.stream))
	if err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	out, err := io.ReadAll(io.LimitReader(r, maxStream+1))
	if err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	if len(out) > maxStream {
		return nil, fmt.Errorf("%w: a stream of more than %d bytes", errObject, maxStream)
	}
	return out, nil
}
