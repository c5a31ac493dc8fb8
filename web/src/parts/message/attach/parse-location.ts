import type { Coordinates } from '../body/message-body.ts'

const coordinatePair = /(-?\d{1,3}(?:\.\d{1,20})?)\s{0,5}(?:,|;|%2C|\s)\s{0,5}(-?\d{1,3}(?:\.\d{1,20})?)/i
/** Coordinates in map URLs: `…/@-34.6,-58.3,17z`, `?q=…`, `#map=17/-34.6/-58.3`, `geo:…`. */
const mapLinkPatterns = [
  /!3d(-?\d+\.\d+)!4d(-?\d+\.\d+)/,
  /[@=:](-?\d{1,3}\.\d+)(?:,|%2C)\s*(-?\d{1,3}\.\d+)/i,
  /#map=\d+\/(-?[\d.]+)\/(-?[\d.]+)/,
]

/** The coordinates in pasted text: two numbers, or a map URL. Null when there are none. */
export function parseLocation(text: string): Coordinates | null {
  const patterns = /^(https?|geo):/i.test(text.trim()) ? mapLinkPatterns : [coordinatePair]
  for (const pattern of patterns) {
    const [, latitude, longitude] = pattern.exec(text) ?? []
    const point = { latitude: Number(latitude), longitude: Number(longitude) }
    if (Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180) return point
  }
  return null
}
