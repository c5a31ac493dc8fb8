/** Three fictional people in a real spreadsheet. Phone numbers are text cells, so that no program rounds them. */
const examplePeople = [
  ['Lucía Campos', '5491155550000', 'lucia@mail.example'],
  ['João Nascimento', '5511988880000', 'joao@mail.example'],
  ['Ana Pereira', '573005550192', ''],
]

export const xlsxMimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export function createExampleSpreadsheet(head: readonly string[]): Uint8Array<ArrayBuffer> {
  const rows = [head, ...examplePeople].map((row) => `<row>${row.map(cell).join('')}</row>`).join('')
  return zip({
    '[Content_Types].xml': `${xml}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${xlsxMimeType}.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `${xml}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships"><sheets><sheet name="1" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `${xml}<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><cols><col min="1" max="3" width="26" customWidth="1"/></cols><sheetData>${rows}</sheetData></worksheet>`,
  })
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const schemas = 'http://schemas.openxmlformats.org'
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const relation = (kind: string, target: string) =>
  `${xml}<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="r1" Type="${schemas}/officeDocument/2006/relationships/${kind}" Target="${target}"/></Relationships>`

/** An uncompressed zip, which is enough for spreadsheet programs. */
function zip(files: Record<string, string>): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const [path, text] of Object.entries(files)) {
    const name = new TextEncoder().encode(path)
    const content = new TextEncoder().encode(text)
    // Version, flags, method, time, date (1/1/1980), CRC, sizes, name length, no extra field.
    const common = [u16(20), u16(0), u16(0), u16(0), u16(0x21), u32(crc32(content))]
    const sizes = [u32(content.length), u32(content.length), u16(name.length), u16(0)]
    const local = join([u32(0x04034b50), ...common, ...sizes, name, content])
    directory.push(join([u32(0x02014b50), u16(20), ...common, ...sizes, u16(0), u16(0), u16(0), u32(0), u32(at), name]))
    parts.push(local)
    at += local.length
  }
  const index = join(directory)
  const count = u16(directory.length)
  return join([...parts, index, u32(0x06054b50), u16(0), u16(0), count, count, u32(index.length), u32(at), u16(0)])
}

const u16 = (n: number) => new Uint8Array([n & 255, (n >> 8) & 255])
const u32 = (n: number) => new Uint8Array([n & 255, (n >>> 8) & 255, (n >>> 16) & 255, (n >>> 24) & 255])

function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
