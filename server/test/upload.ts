import type { HttpAnswer, HttpCaller } from './http-caller.ts'

/** The smallest valid PNG and other files. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const tinyJpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300', 'hex')
export const tinyPdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

type FormPart = string | [content: Uint8Array | string, name: string]

/** Sends a form like a browser: fields and files in the given order. */
export function sendForm<T = Record<string, never>>(
  who: HttpCaller,
  path: string,
  parts: Record<string, FormPart[]>,
): Promise<HttpAnswer<T>> {
  const form = new FormData()
  for (const [field, values] of Object.entries(parts)) {
    for (const value of values) {
      if (typeof value === 'string') form.append(field, value)
      else form.append(field, new Blob([value[0] as Uint8Array<ArrayBuffer> | string]), value[1])
    }
  }
  return who.request<T>('POST', path, form)
}
