type Place = { latitude: number; longitude: number; name: string; thumbnail?: string | undefined }

/** How a place is written down: in the three parts that clients of this family read, and in one line for lists. */
export function writtenPlace({ latitude, longitude, name, thumbnail }: Place): { body: string; line: string } {
  const link = `https://maps.google.com/maps?q=${latitude}%2C${longitude}&z=17`
  // The bar parts the three.
  const line = name.replaceAll('|', ' ').trim() || `${latitude}, ${longitude}`
  return { body: `${thumbnail ?? ''}|${link}|${line}`, line }
}
