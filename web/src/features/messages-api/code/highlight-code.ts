import type { CodeLanguage } from './code-examples.ts'

/** `key`: a property name in JSON. */
export type TokenKind = 'string' | 'number' | 'word' | 'key' | 'quiet' | 'plain'
export type CodeToken = { kind: TokenKind; text: string }

const quotedPattern = String.raw`"(?:\\.|[^"\\])*"`
const stringPattern = String.raw`${quotedPattern}|'(?:\\[\s\S]|[^'\\])*'`
const numberPattern = String.raw`\b(?:\d+(?:\.\d+)?|true|false|null|True|False|None)\b`
const keywords: Record<CodeLanguage, string> = {
  curl: 'curl|printf|openssl|base64|xxd',
  javascript: 'import|from|const|let|new|await|async|function|return|if|throw|export',
  python: 'import|from|def|return|if|not|raise|in|for',
  php: 'function|return|if|new|throw|foreach|as|echo',
}
/** A grammar in which strings are matched first: comment markers within a string are not comments. */
const createGrammar = (texts: string, comment: string, words: string) =>
  new RegExp(`(?<string>${texts})|(?<quiet>${comment})|(?<number>${numberPattern})|\\b(?<word>${words})\\b`, 'gm')
const grammars: Record<CodeLanguage | 'json', RegExp> = {
  // Between a shell's single quotes a backslash is literal; a literal quote is placed outside of the quotes.
  curl: createGrammar(String.raw`${quotedPattern}|'[^']*'(?:\\''[^']*')*`, '#.*$', keywords.curl),
  javascript: createGrammar(stringPattern, '//.*$', keywords.javascript),
  python: createGrammar(stringPattern, '#.*$', keywords.python),
  php: createGrammar(stringPattern, '//.*$|<\\?php', keywords.php),
  json: new RegExp(
    String.raw`(?<key>${quotedPattern}(?=\s*:))|(?<string>${quotedPattern})|(?<number>-?${numberPattern})`,
    'g',
  ),
}

/** Splits code into tokens for highlighting. Four colours are enough. */
export function highlightCode(code: string, language: CodeLanguage | 'json'): CodeToken[] {
  const pieces: CodeToken[] = []
  let end = 0
  for (const { index, 0: text, groups } of code.matchAll(grammars[language])) {
    if (index > end) pieces.push({ kind: 'plain', text: code.slice(end, index) })
    const [kind] = Object.entries(groups ?? {}).find(([, found]) => found !== undefined) ?? ['plain']
    pieces.push({ kind: kind as TokenKind, text })
    end = index + text.length
  }
  if (end < code.length) pieces.push({ kind: 'plain', text: code.slice(end) })
  return pieces
}

/** Pretty-prints JSON; truncated or other text stays unchanged. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
