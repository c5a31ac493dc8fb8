/** Parses a typed day: "31/1/27", "31-01-2027" and "31012027" become yyyy-MM-dd; null for a day that does not exist. */
export function parseDay(text: string): string | null {
  const found =
    /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4}|\d{2})$/.exec(text.trim()) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(text.trim())
  if (!found) return null
  const [day, month, year] = found.slice(1).map(Number) as [number, number, number]
  const full = year < 100 ? 2000 + year : year
  const date = new Date(Date.UTC(full, month - 1, day))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.toISOString().slice(0, 10) : null
}
