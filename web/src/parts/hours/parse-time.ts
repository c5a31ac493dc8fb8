/** Parses a typed time: "8" becomes 08:00, "830" and "8:30" become 08:30, "2500" becomes null. */
export function parseTime(text: string): string | null {
  const digits = text.replace(/\D/g, '')
  if (digits === '' || digits.length > 4) return null
  const hours = digits.length <= 2 ? digits : digits.slice(0, -2)
  const minutes = digits.length <= 2 ? '0' : digits.slice(-2)
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`
}
