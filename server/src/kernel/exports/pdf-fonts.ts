import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/**
 * The fonts of PDF files: Latin, Greek, Cyrillic, Hebrew, Arabic and many symbols (DejaVu, free to embed), and
 * monochrome emoji (Noto Emoji, Open Font License), which comes in several files, each for some ranges.
 */
const plainFont = resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
const boldFont = resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')
export const fontFiles = { plain: plainFont, bold: boldFont }

type Range = { from: number; to: number; file: string }
let ranges: Range[] | undefined

function emojiRanges(): Range[] {
  const sheet = resolve('@fontsource/noto-emoji/400.css')
  const faces = readFileSync(sheet, 'utf8').matchAll(/url\(\.\/(files\/[\w-]+\.woff)\)[^}]*unicode-range: ([^;}]+)/g)
  return [...faces].flatMap(([, file = '', said = '']) =>
    said.split(',').map((range) => {
      const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-')
      return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16), file: join(dirname(sheet), file) }
    }),
  )
}

/** The file of the emoji font that has this character, or null. */
export function findEmojiFont(sign: number): string | null {
  ranges ??= emojiRanges()
  return ranges.find(({ from, to }) => sign >= from && sign <= to)?.file ?? null
}

/** Characters that join or modify others; alone they show nothing. */
const joiningSigns = /[\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/u
/** Replaces a character that no font has. */
const missingGlyph = '\u25a1'

export type FontRun = { font: 'text' | string; text: string }

/** Splits a text by the font that has its characters; `has`: whether the text's own font has a character. */
export function splitByFont(text: string, has: (sign: number) => boolean): FontRun[] {
  const runs: FontRun[] = []
  for (const letter of text) {
    if (joiningSigns.test(letter)) continue
    const sign = letter.codePointAt(0) as number
    const own = has(sign)
    const other = own ? null : findEmojiFont(sign)
    const font = other ?? 'text'
    const shown = own || other ? letter : missingGlyph
    const last = runs.at(-1)
    if (last?.font === font) last.text += shown
    else runs.push({ font, text: shown })
  }
  return runs
}
