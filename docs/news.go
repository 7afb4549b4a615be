package docs

import (
	"fmt"
	"strings"
	"time"
)

// newsFile is the guide with the news.
const newsFile = "guides/news.md"

// Entry is one of the news for partners.
type Entry struct {
	Title string
	// Day is its date.
	Day time.Time
	// Text is its first paragraph without markup.
	Text string
}

// News reads the news for partners, newest first. Each entry is a chapter of the guide, and
// its first paragraph starts with the date. Chapters without a date or out of order are errors.
func News() ([]Entry, error) {
	raw, err := Files.ReadFile(newsFile)
	if err != nil {
		return nil, fmt.Errorf("docs: %w", err)
	}
	chapters := strings.Split(string(raw), "\n## ")
	if len(chapters) < 2 {
		return nil, fmt.Errorf("docs: %s holds no news", newsFile)
	}
	var all []Entry
	for _, chapter := range chapters[1:] {
		entry, err := entryOf(chapter)
		if err != nil {
			return nil, err
		}
		if len(all) > 0 && entry.Day.After(all[len(all)-1].Day) {
			return nil, fmt.Errorf("docs: %s: %q stands below an older one", newsFile, entry.Title)
		}
		all = append(all, entry)
	}
	return all, nil
}

func entryOf(chapter string) (Entry, error) {
	title, rest, _ := strings.Cut(chapter, "\n")
	paragraph, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
	day, text, found := strings.Cut(strings.Join(strings.Fields(paragraph), " "), ". ")
	at, err := time.Parse("2 January 2006", day)
	if !found || err != nil {
		return Entry{}, fmt.Errorf("docs: %s: %q does not begin with its day, as in %q", newsFile, title, "2 January 2006. ")
	}
	return Entry{Title: title, Day: at, Text: plain(text)}, nil
}

// plain removes the marks of code and the targets of links.
func plain(text string) string {
	text = strings.ReplaceAll(text, "`", "")
	for {
		before, rest, found := strings.Cut(text, "](")
		if !found {
			return text
		}
		_, after, _ := strings.Cut(rest, ")")
		i := strings.LastIndexByte(before, '[')
		text = before[:max(i, 0)] + before[i+1:] + after
	}
}
