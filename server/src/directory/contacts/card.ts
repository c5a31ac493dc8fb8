/** Somebody as phones hand them on. */
export function cardOf(name: string, number: string): { name: string; vcard: string } {
  const digits = number.replace(/\D/g, '')
  const plain = name.replace(/[\r\n;]/g, ' ')
  return { name, vcard: `BEGIN:VCARD\nVERSION:3.0\nFN:${plain}\nTEL;type=CELL;waid=${digits}:+${digits}\nEND:VCARD` }
}
