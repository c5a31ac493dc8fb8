import type { Answer, Caller } from './caller.ts'

/** The smallest files that are what they say. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300', 'hex')
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

type Part = string | [content: Uint8Array | string, name: string]

/** Sends a form as browsers do: fields and files in the order given. */
export function upload<T = Record<string, never>>(
  who: Caller,
  path: string,
  parts: Record<string, Part[]>,
): Promise<Answer<T>> {
  const form = new FormData()
  for (const [field, values] of Object.entries(parts)) {
    for (const value of values) {
      if (typeof value === 'string') form.append(field, value)
      else form.append(field, new Blob([value[0] as Uint8Array<ArrayBuffer> | string]), value[1])
    }
  }
  return who.ask<T>('POST', path, form)
}
