/**
 * How words are compared when somebody looks for them: without accents, capitals, and what cannot be seen. "arbol" finds
 * "Árbol", "2" finds "２", "o'brien" finds "O’Brien". Every search of both sides uses this; the database has a twin,
 * `fold` (migration 0025), and a test holds the two equal, so a row that was found stays found when news of it comes.
 */
export function fold(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(ignoredMarks, '')
    .toLowerCase()
    .replace(specialLetters, (letter) => letters[letter] ?? letter)
}

const isPlain = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/**
 * Accents, Hebrew and Arabic vowel points, and signs that take no room. The vowel signs of Indian and Thai writing stay:
 * without them other words would be meant.
 */
const ignoredMarks =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Letters that Unicode does not take for another letter with an accent, and what telephones write instead of ' " and -. */
const letters: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  // At the end of a word small sigma is written otherwise; the end of what was typed need not be one.
  ς: 'σ',
  '¡': '!',
  '¿': '?',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
}
const specialLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')
