package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// mark is a marked-content sequence on a page (ISO 32000-1, 14.6), or an artifact between such
// sequences.
type mark struct {
	// tag is the operator that begins the sequence, or "" for an artifact.
	tag    string
	id     int
	pieces []piece
}

// piece is a text object or a drawing, together with its graphics state.
type piece struct {
	raw string
	run *run
	// frame contains the operators that set the matrix, the clipping path and so on. depth is how
	// many of them save the state.
	frame string
	depth int
	color string
}

// level is an entry of the graphics state stack (ISO 32000-1, 8.4.2).
type level struct{ frame, fill, stroke string }

// reader parses the content of a page.
type reader struct {
	fonts  map[string]*font
	marks  []*mark
	tagged bool
	levels []level
	// path contains the operators of the current path. clips reports whether the path is a clipping
	// path.
	path  []byte
	clips bool
	text  *textReader
}

// errStrange is returned for content that Skia does not write.
var errStrange = errors.New("pdf: content that Skia would not write")

// readContent parses the content of a page. fonts maps the font names used in the content to the
// page's fonts.
func readContent(content []byte, fonts map[string]*font) ([]*mark, error) {
	r := &reader{fonts: fonts, levels: []level{{}}}
	s := scanner{rest: content}
	var args [][]byte
	start := content
	for {
		token, k := s.token()
		if k == nothing {
			break
		}
		if k != keyword {
			args = append(args, token)
			continue
		}
		raw := string(bytes.TrimSpace(start[:len(start)-len(s.rest)])) + "\n"
		if !r.operate(string(token), args, raw) {
			return nil, fmt.Errorf("%w: %.100q", errStrange, raw)
		}
		start, args = s.rest, args[:0]
	}
	if r.text != nil || r.tagged || len(r.levels) != 1 || len(bytes.TrimSpace(start)) > 0 {
		return nil, fmt.Errorf("%w: it has no end", errStrange)
	}
	return r.marks, nil
}

// operate executes an operator. It returns false if Skia never writes the operator at this point.
func (r *reader) operate(op string, args [][]byte, raw string) bool {
	now := &r.levels[len(r.levels)-1]
	if r.text != nil && op != "ET" {
		return r.text.operate(op, args)
	}
	switch op {
	case "BT":
		r.text = &textReader{fonts: r.fonts, run: &run{}}
	case "ET":
		return r.endText()
	case "q":
		r.levels = append(r.levels, level{frame: "q\n", fill: now.fill, stroke: now.stroke})
	case "Q":
		r.levels = r.levels[:len(r.levels)-1]
		return len(r.levels) > 0
	case "cm", "gs", "w", "J", "j", "M", "d", "i", "ri":
		now.frame += raw
	case "rg", "g", "k":
		now.fill = colorOf(args, op)
	case "RG", "G", "K":
		now.stroke = colorOf(args, op)
	case "BDC":
		return r.begin(args, raw)
	case "EMC":
		ended := r.tagged
		r.tagged = false
		return ended
	default:
		return r.draw(op, raw)
	}
	return true
}

func colorOf(args [][]byte, op string) string {
	return string(bytes.Join(args, []byte(" "))) + " " + op + "\n"
}

func (r *reader) begin(args [][]byte, raw string) bool {
	if r.tagged || len(args) != 2 {
		return false
	}
	id, ok := integer(args[1], "MCID")
	r.tagged = true
	r.marks = append(r.marks, &mark{tag: raw, id: id})
	return ok
}

// draw executes operators for paths (ISO 32000-1, 8.5), images and shadings.
func (r *reader) draw(op, raw string) bool {
	switch op {
	case "m", "l", "c", "v", "y", "h", "re":
		r.path = append(r.path, raw...)
	case "W", "W*":
		r.path = append(r.path, raw...)
		r.clips = true
	case "n":
		if r.clips {
			r.levels[len(r.levels)-1].frame += string(r.path) + raw
		}
		r.path, r.clips = nil, false
	case "f", "f*", "S", "s", "B", "B*", "b", "b*", "Do", "sh":
		r.add(piece{raw: string(r.path) + raw})
		r.path = nil
		return !r.clips
	default:
		return false
	}
	return true
}

// endText ends a text object. It drops text objects without glyphs, which Skia writes for text
// outside the page.
func (r *reader) endText() bool {
	if r.text == nil {
		return false
	}
	t := r.text
	r.text = nil
	if len(t.run.glyphs) > 0 {
		r.add(piece{run: t.run})
	}
	return t.finished()
}

// add adds a piece to the open marked-content sequence. A space between two marked-content
// sequences belongs to the first one.
func (r *reader) add(p piece) {
	for _, l := range r.levels {
		p.frame += l.frame
	}
	p.depth = len(r.levels) - 1
	now := r.levels[len(r.levels)-1]
	p.color = now.stroke + now.fill
	last := len(r.marks) - 1
	blank := p.run != nil && strings.TrimSpace(p.run.text()) == ""
	if !r.tagged && (last < 0 || r.marks[last].tag != "" && !blank) {
		r.marks = append(r.marks, &mark{})
		last++
	}
	r.marks[last].pieces = append(r.marks[last].pieces, p)
}
