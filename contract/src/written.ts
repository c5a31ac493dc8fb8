/** How things are written down that are not words: the server stores it so, and a screen draws it until it has. */

type Place = { latitude: number; longitude: number; name: string; thumbnail?: string | undefined }

/** A place, in the three parts that clients of this family read, and in one line for lists. */
export function writtenPlace({ latitude, longitude, name, thumbnail }: Place): { body: string; line: string } {
  const link = `https://maps.google.com/maps?q=${latitude}%2C${longitude}&z=17`
  // The bar parts the three.
  const line = name.replaceAll('|', ' ').trim() || `${latitude}, ${longitude}`
  return { body: `${thumbnail ?? ''}|${link}|${line}`, line }
}

/** Somebody, as phones hand them on. */
export function writtenCard(name: string, number: string): string {
  const digits = number.replace(/\D/g, '')
  const plain = name.replace(/[\r\n;]/g, ' ')
  return `BEGIN:VCARD\nVERSION:3.0\nFN:${plain}\nTEL;type=CELL;waid=${digits}:+${digits}\nEND:VCARD`
}
