import type { CodeLanguage } from './examples.ts'

/** `key`: the name of a value in JSON. */
export type Kind = 'string' | 'number' | 'word' | 'key' | 'quiet' | 'plain'
export type Piece = { kind: Kind; text: string }

const quoted = String.raw`"(?:\\.|[^"\\])*"`
const texts = String.raw`${quoted}|'(?:\\[\s\S]|[^'\\])*'`
const numbers = String.raw`\b(?:\d+(?:\.\d+)?|true|false|null|True|False|None)\b`
const words: Record<CodeLanguage, string> = {
  curl: 'curl|printf|openssl|base64|xxd',
  javascript: 'import|from|const|let|new|await|async|function|return|if|throw|export',
  python: 'import|from|def|return|if|not|raise|in|for',
  php: 'function|return|if|new|throw|foreach|as|echo',
}
/** Strings first: what looks like a comment inside of one is none. */
const grammar = (texts: string, comment: string, words: string) =>
  new RegExp(`(?<string>${texts})|(?<quiet>${comment})|(?<number>${numbers})|\\b(?<word>${words})\\b`, 'gm')
const grammars: Record<CodeLanguage | 'json', RegExp> = {
  // In a shell a backslash between single quotes is a backslash, and a quote that is meant stands outside of them.
  curl: grammar(String.raw`${quoted}|'[^']*'(?:\\''[^']*')*`, '#.*$', words.curl),
  javascript: grammar(texts, '//.*$', words.javascript),
  python: grammar(texts, '#.*$', words.python),
  php: grammar(texts, '//.*$|<\\?php', words.php),
  json: new RegExp(String.raw`(?<key>${quoted}(?=\s*:))|(?<string>${quoted})|(?<number>-?${numbers})`, 'g'),
}

/** Four colours are enough to find one's way. */
export function piecesOf(code: string, language: CodeLanguage | 'json'): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { index, 0: text, groups } of code.matchAll(grammars[language])) {
    if (index > end) pieces.push({ kind: 'plain', text: code.slice(end, index) })
    const [kind] = Object.entries(groups ?? {}).find(([, found]) => found !== undefined) ?? ['plain']
    pieces.push({ kind: kind as Kind, text })
    end = index + text.length
  }
  if (end < code.length) pieces.push({ kind: 'plain', text: code.slice(end) })
  return pieces
}

/** JSON is easier to read in lines; what is cut or is none stays as it came. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
