/** A stretch of a source as it was read: what stands over it, and where it is (page, row or number). */
export type Stretch = { heading: string; text: string; at: number }
/** What is found as one. */
export type Piece = Stretch

/** So long that it answers a question, so short that several fit beside the conversation. */
const good = 800
const longest = 1200
const longestHeading = 200

/** Short stretches under the same heading and of the same page go together, long ones are cut at the end of a sentence. */
export function cut(stretches: Stretch[]): Piece[] {
  const pieces: Piece[] = []
  let last: Piece | undefined
  for (const { heading, text, at } of stretches) {
    for (const part of partsOf(tidy(text))) {
      if (last && last.heading === heading && last.at === at && last.text.length + part.length < good) {
        last.text += `\n${part}`
        continue
      }
      last = { heading: tidy(heading).slice(0, longestHeading), text: part, at }
      pieces.push(last)
    }
  }
  return pieces
}

/** A row, or a question with its answer: one piece, unless it is too long for one. */
export const cutOne = ({ heading, text, at }: Stretch): Piece[] =>
  partsOf(tidy(text)).map((part) => ({ heading: tidy(heading).slice(0, longestHeading), text: part, at }))

function partsOf(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > longest) {
    const window = rest.slice(0, good)
    const end = Math.max(...['\n', '. ', '? ', '! ', '; '].map((sign) => window.lastIndexOf(sign)))
    const space = window.lastIndexOf(' ')
    const to = end > good / 3 ? end + 1 : space > good / 3 ? space : wholeSigns(window)
    parts.push(rest.slice(0, to).trim())
    rest = rest.slice(to).trim()
  }
  if (rest) parts.push(rest)
  return parts.filter(Boolean)
}

/** Half an emoji is not text. */
const wholeSigns = (text: string): number => (/[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length)

/** Without what nobody reads: control signs, blanks in a row, more than one empty line. */
function tidy(text: string): string {
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

/** Paragraphs of plain text; in markdown its headings stand over what follows them. */
export function stretchesOf(text: string, marked: boolean): Stretch[] {
  const stretches: Stretch[] = []
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

/** Numbered as they stand: where there are no pages or rows, a piece is known by its number. */
export const numbered = (pieces: Piece[]): Piece[] => pieces.map((piece, i) => ({ ...piece, at: i + 1 }))

/** Where it is, in signs that are read in every language. */
export const placeOf = ({ name, at }: { name: string; at: number }): string =>
  /\.pdf$/i.test(name) ? `p. ${at}` : `#${at}`
