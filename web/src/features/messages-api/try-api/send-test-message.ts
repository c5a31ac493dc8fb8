import { apiMessagesApi } from '@recado/contract/api-access/api-messages'

export type TestMessage = { token: string; number: string; body: string; file: File | null }
export type ApiAnswer = { status: number; ms: number; text: string }

/** Sends as a program would: without cookies or session, only with the token. Status 0: no response. */
export async function sendTestMessage({ token, number, body, file }: TestMessage): Promise<ApiAnswer> {
  const { method, path, upload = 'medias' } = apiMessagesApi.send
  const startedAt = performance.now()
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  try {
    const response = await fetch(path, {
      method,
      credentials: 'omit',
      ...(file
        ? { headers, body: toFormData({ number, body }, upload, file) }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ number, body }) }),
    })
    const text = await response.text()
    return { status: response.status, ms: Math.round(performance.now() - startedAt), text }
  } catch {
    return { status: 0, ms: Math.round(performance.now() - startedAt), text: '' }
  }
}

/** Builds the form. Text fields go first, because the server reads the parts in order. */
function toFormData(fields: Record<string, string>, name: string, file: File): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) if (value !== '') form.append(key, value)
  form.append(name, file, file.name)
  return form
}

/** The request as it was sent, without the credential. */
export const formatRequest = ({ number, body, file }: TestMessage): string =>
  [
    `${apiMessagesApi.send.method} ${apiMessagesApi.send.path}`,
    `Content-Type: ${file ? 'multipart/form-data' : 'application/json'}`,
    '',
    JSON.stringify({ number, ...((body || !file) && { body }), ...(file && { medias: file.name }) }, null, 2),
  ].join('\n')
