import { decodeXmlEntities } from '../../../kernel/files/xml-stream.ts'
import { readZipPart } from '../../../kernel/files/zip-reader.ts'
import type { TextBlock } from './cut-pieces.ts'

/** A limit above the XML size of a book of a thousand pages. */
const maxXmlBytes = 48 * 1024 * 1024

/** The readable parts of a paragraph: its style, its text, and the ends of its containers. */
const paragraphPattern =
  /<w:t(?:\s[^<>]{0,200})?>([^<]*)<\/w:t>|<w:pStyle\s[^<>]{0,50}w:val="([^"<>]{1,100})"|<w:(?:tab|br|cr)(?:\s[^<>]{0,200})?\/>|<(\/?w:(?:p|tc|tr))(?:\s[^<>]{0,300})?>/g
const stylePattern =
  /<w:style\s[^<>]{0,300}w:styleId="([^"<>]{1,100})"[^<>]{0,300}>\s{0,100}<w:name\sw:val="([^"<>]{1,100})"/g

/** The paragraphs of a .docx document, each with the last heading before it. */
export function readDocx(file: Buffer): TextBlock[] {
  const body = readZipPart(file, 'word/document.xml', maxXmlBytes)
  if (!body) throw new Error('not a document')
  const headings = findHeadingStyles(readZipPart(file, 'word/styles.xml', maxXmlBytes)?.toString('utf8') ?? '')
  const stretches: TextBlock[] = []
  let heading = ''
  let style = ''
  let text = ''
  let row: string[] = []
  let cells = 0
  const add = (whole: string) => whole && stretches.push({ heading, text: whole, at: 0 })
  function endParagraph() {
    const whole = text.trim()
    // The paragraphs of a cell stay together, and so do the cells of a row.
    if (cells) {
      text = whole && `${whole} `
      return
    }
    if (headings.has(style)) heading = whole || heading
    else add(whole)
    text = ''
    style = ''
  }
  for (const [whole, words, styleId, mark] of body.toString('utf8').matchAll(paragraphPattern)) {
    if (words !== undefined) text += decodeXmlEntities(words)
    else if (styleId !== undefined) style = styleId
    else if (mark === undefined) text += whole.startsWith('<w:tab') ? '\t' : '\n'
    else if (mark === '/w:p') endParagraph()
    else if (mark === 'w:tc') cells++
    else if (mark === '/w:tc') {
      cells = Math.max(0, cells - 1)
      row.push(text.trim())
      text = ''
    } else if (mark === '/w:tr') {
      add(row.filter(Boolean).join(' | '))
      row = []
    }
  }
  endParagraph()
  return stretches
}

/** The ids of heading styles. Word localizes style ids and stores the English name beside them. */
function findHeadingStyles(xml: string): Set<string> {
  const found = new Set<string>()
  for (const [, id = '', name = ''] of xml.matchAll(stylePattern)) if (/^(heading \d|title)$/i.test(name)) found.add(id)
  for (const usual of ['Title', ...[1, 2, 3, 4, 5, 6].map((n) => `Heading${n}`)]) found.add(usual)
  return found
}
