/** Meta's shapes grow every few months: whatever is not as we know it is passed over, never an error. */
export type Loose = Record<string, unknown>
export const isLoose = (v: unknown): v is Loose => typeof v === 'object' && v !== null && !Array.isArray(v)
export const loose = (v: unknown): Loose => (isLoose(v) ? v : {})
export const looseList = (v: unknown): Loose[] => (Array.isArray(v) ? v.filter(isLoose) : [])
export const said = (v: unknown): string => (typeof v === 'string' ? v : typeof v === 'number' ? String(v) : '')
