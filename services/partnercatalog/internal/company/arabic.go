package company

// arabic maps Arabic letters, including the letters added by Persian, Urdu, Kurdish and Pashto, to
// Latin letters. It follows the region's road signs and passports: BGN/PCGN 1956 without
// diacritics. Names are written without short vowels, so slugs have none either. Keys are in NFKC
// form.
//
// unidecode is not used for these letters, because it romanizes ayn, ta marbuta and alif maqsura as
// symbols that are dropped from slugs.
var arabic = map[rune]string{
	'ء': "", 'آ': "a", 'أ': "a", 'ؤ': "w", 'إ': "i", 'ئ': "y", 'ا': "a", 'ٱ': "a",
	'ب': "b", 'ة': "a", 'ت': "t", 'ث': "th", 'ج': "j", 'ح': "h", 'خ': "kh",
	'د': "d", 'ذ': "dh", 'ر': "r", 'ز': "z", 'س': "s", 'ش': "sh", 'ص': "s", 'ض': "d",
	'ط': "t", 'ظ': "z", 'ع': "a", 'غ': "gh", 'ف': "f", 'ق': "q", 'ك': "k", 'ل': "l",
	'م': "m", 'ن': "n", 'ه': "h", 'و': "w", 'ى': "a", 'ي': "y",
	// Tatweel only stretches a word.
	'ـ': "",

	// Persian and Urdu.
	'پ': "p", 'چ': "ch", 'ژ': "zh", 'ک': "k", 'گ': "g", 'ی': "y",
	'ٹ': "t", 'ڈ': "d", 'ڑ': "r", 'ں': "n", 'ھ': "h", 'ہ': "h", 'ۂ': "h", 'ۃ': "a", 'ے': "e", 'ۓ': "e",
	// Kurdish and Pashto.
	'ڕ': "r", 'ڵ': "l", 'ۆ': "o", 'ۇ': "u", 'ێ': "e", 'ە': "e", 'ڤ': "v",
	'ټ': "t", 'ځ': "z", 'څ': "ts", 'ډ': "d", 'ړ': "r", 'ږ': "g", 'ښ': "sh", 'ڼ': "n", 'ې': "e", 'ۍ': "y",
}
