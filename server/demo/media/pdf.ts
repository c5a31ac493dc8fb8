/** One page with a heading and a few rows of text: the shortest PDF that every reader opens. */
export function makeDemoPdf(heading: string, lines: string[]): Buffer {
  const shown = (text: string) => text.replace(/[()\\]/g, '\\$&')
  const content = [
    'BT /F1 22 Tf 60 770 Td',
    `(${shown(heading)}) Tj`,
    '/F1 12 Tf 0 -40 Td 18 TL',
    ...lines.map((line) => `(${shown(line)}) Tj T*`),
    'ET',
  ].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const at = Buffer.byteLength(body, 'latin1')
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  const index = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`
  const start = Buffer.byteLength(body, 'latin1')
  return Buffer.from(`${body}${index}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`, 'latin1')
}
