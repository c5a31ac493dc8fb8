import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** A zip with compressed parts, as programs write it. */
export function makeZip(parts: Record<string, string | Buffer>): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(parts)) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(plain), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(plain.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const row = Buffer.alloc(46)
    row.write('PK\x01\x02\x14\0', 'latin1')
    shared.copy(row, 6)
    row.writeUInt32LE(at, 42)
    const head = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared])
    pieces.push(head, Buffer.from(name), packed)
    directory.push(row, Buffer.from(name))
    at += head.length + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length / 2, 8)
  end.writeUInt16LE(directory.length / 2, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, ...directory, end])
}

/** A .docx document. A paragraph that begins with `#` is a heading, in the style of a Spanish Word. */
export const makeDocx = (...paragraphs: string[]): Buffer =>
  makeZip({
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    'word/styles.xml':
      '<w:styles><w:style w:type="paragraph" w:styleId="Ttulo1"><w:name w:val="heading 1"/></w:style></w:styles>',
    'word/document.xml': `<w:document><w:body>${paragraphs.map(docxParagraph).join('')}</w:body></w:document>`,
  })
const docxParagraph = (text: string): string =>
  text.includes('|')
    ? `<w:tbl><w:tr>${text
        .split('|')
        .map((cell) => `<w:tc><w:p><w:r><w:t>${cell.trim()}</w:t></w:r></w:p></w:tc>`)
        .join('')}</w:tr></w:tbl>`
    : text.startsWith('#')
      ? `<w:p w:rsidR="00A1"><w:pPr><w:pStyle w:val="Ttulo1"/></w:pPr><w:r><w:t>${text.slice(1).trim()}</w:t></w:r></w:p>`
      : `<w:p><w:r><w:t xml:space="preserve">${text.slice(0, 5)}</w:t></w:r><w:r><w:t xml:space="preserve">${text.slice(5)}</w:t></w:r></w:p>`

/** A PDF with pages of text rows, the first row of each page in large letters; or with given page content. */
export function makePdf(pages: string[][], drawn?: Buffer): Buffer {
  const objects: Buffer[] = []
  const add = (content: string | Buffer) => objects.push(Buffer.from(content))
  add('<</Type/Catalog/Pages 2 0 R>>')
  add(`<</Type/Pages/Kids[${pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}]/Count ${pages.length}>>`)
  add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
  pages.forEach((lines, i) => {
    add(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${5 + i * 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`)
    const [title = '', ...rest] = lines.map((line) => line.replace(/[()\\]/g, '\\$&'))
    const text = `BT /F1 24 Tf 72 720 Td (${title}) Tj /F1 12 Tf 0 -40 Td ${rest.map((line) => `(${line}) Tj 0 -14 Td`).join(' ')} ET`
    const packed = drawn ?? deflateSync(Buffer.from(text, 'latin1'))
    add(
      Buffer.concat([
        Buffer.from(`<</Length ${packed.length}/Filter/FlateDecode>>stream\n`),
        packed,
        Buffer.from('\nendstream'),
      ]),
    )
  })
  const places: number[] = []
  let paper = Buffer.from('%PDF-1.4\n')
  objects.forEach((content, i) => {
    places.push(paper.length)
    paper = Buffer.concat([paper, Buffer.from(`${i + 1} 0 obj\n`), content, Buffer.from('\nendobj\n')])
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${paper.length}\n%%EOF\n`
  return Buffer.concat([paper, Buffer.from(end)])
}
