/** A part of a source, with its heading and its position (page, row or number). */
export type TextBlock = { heading: string; text: string; at: number }
/** A piece of a source: the unit that a search returns. */
export type SourcePiece = TextBlock

/**
 * The length of a piece: long enough to answer a question, short enough that several pieces fit beside the
 * conversation.
 */
const targetPieceChars = 800
const maxPieceChars = 1200
const maxHeadingChars = 200

/** Joins short parts under the same heading and page, and splits long ones at the end of a sentence. */
export function cutIntoPieces(stretches: TextBlock[]): SourcePiece[] {
  const pieces: SourcePiece[] = []
  let last: SourcePiece | undefined
  for (const { heading, text, at } of stretches) {
    for (const part of splitText(cleanText(text))) {
      if (last && last.heading === heading && last.at === at && last.text.length + part.length < targetPieceChars) {
        last.text += `\n${part}`
        continue
      }
      last = { heading: cleanText(heading).slice(0, maxHeadingChars), text: part, at }
      pieces.push(last)
    }
  }
  return pieces
}

/** Makes a table row, or a question with its answer, one piece, unless it is too long. */
export const cutBlock = ({ heading, text, at }: TextBlock): SourcePiece[] =>
  splitText(cleanText(text)).map((part) => ({ heading: cleanText(heading).slice(0, maxHeadingChars), text: part, at }))

function splitText(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > maxPieceChars) {
    const window = rest.slice(0, targetPieceChars)
    const end = Math.max(...['\n', '. ', '? ', '! ', '; '].map((sign) => window.lastIndexOf(sign)))
    const space = window.lastIndexOf(' ')
    const to = end > targetPieceChars / 3 ? end + 1 : space > targetPieceChars / 3 ? space : wholeCharsLength(window)
    parts.push(rest.slice(0, to).trim())
    rest = rest.slice(to).trim()
  }
  if (rest) parts.push(rest)
  return parts.filter(Boolean)
}

/** The length without a trailing half of a surrogate pair. */
const wholeCharsLength = (text: string): number => (/[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length)

/** Removes control characters, repeated blanks and repeated empty rows. */
function cleanText(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must go
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u00ad\u200b\ufeff]/g, '')
      .replace(/[ \t\u00a0]{2,}/g, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

/** Splits plain text into paragraphs; a Markdown heading applies to the paragraphs after it. */
export function splitIntoBlocks(text: string, marked: boolean): TextBlock[] {
  const stretches: TextBlock[] = []
  let heading = ''
  let lines: string[] = []
  const end = () => {
    const whole = lines.join('\n').trim()
    lines = []
    if (whole) stretches.push({ heading, text: whole, at: 0 })
  }
  for (const line of text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')) {
    const title = marked ? /^#{1,6}[ \t]([^\n]{1,300})/.exec(line)?.[1] : undefined
    if (title !== undefined) {
      end()
      heading = title.replace(/[#*_` ]{1,20}$/, '').trim()
    } else if (line.trim() === '') end()
    else lines.push(line)
  }
  end()
  return stretches
}

/** Numbers the pieces of a source without pages or rows. */
export const numberPieces = (pieces: SourcePiece[]): SourcePiece[] =>
  pieces.map((piece, i) => ({ ...piece, at: i + 1 }))

/** The position of a piece, in a notation that needs no translation. */
export const formatPiecePlace = ({ name, at }: { name: string; at: number }): string =>
  /\.pdf$/i.test(name) ? `p. ${at}` : `#${at}`
