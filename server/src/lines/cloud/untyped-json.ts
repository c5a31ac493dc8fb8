/**
 * An object of untyped JSON. Meta's formats change every few months, so unexpected values are skipped and are never an
 * error.
 */
export type JsonObject = Record<string, unknown>
export const isJsonObject = (v: unknown): v is JsonObject => typeof v === 'object' && v !== null && !Array.isArray(v)
export const asJsonObject = (v: unknown): JsonObject => (isJsonObject(v) ? v : {})
export const asJsonObjects = (v: unknown): JsonObject[] => (Array.isArray(v) ? v.filter(isJsonObject) : [])
export const asText = (v: unknown): string => (typeof v === 'string' ? v : typeof v === 'number' ? String(v) : '')
