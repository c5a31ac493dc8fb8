/** A refusal: `code` is one of the catalogue (docs/api.md), `fields` names the inputs to mend. */
export class RecadoError extends Error {
  constructor(status, body, retryAfter) {
    super(`${status} ${body?.error ?? 'no answer of Recado'}`)
    this.name = 'RecadoError'
    this.status = status
    this.code = body?.error ?? ''
    this.fields = body?.fields ?? {}
    this.retryAfter = retryAfter
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Over soon: too often, the same call is still under way, the house starts. */
const passes = ({ status, code }) => status === 429 || status === 503 || code === 'ERR_IDEMPOTENCY_RUNNING'

/** One endpoint is `[method, path, names in the query, field of the files]`. */
export function makeCall({ url, key, fetch = globalThis.fetch, tries = 4 }) {
  const base = String(url).replace(/\/$/, '')

  async function once(request) {
    const response = await fetch(...request)
    const text = await response.text()
    const body = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
    if (response.ok) return body
    throw new RecadoError(response.status, body, Number(response.headers.get('retry-after') ?? 0))
  }

  return async function call([method, path, inQuery, upload], input = {}, options = {}) {
    const { files = [], idempotencyKey, signal } = options
    const rest = { ...input }
    const take = (name) => {
      const value = rest[name]
      delete rest[name]
      return value
    }
    const where = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(take(name))))
    const asked = inQuery.map((name) => [name, take(name)]).filter(([, value]) => value !== undefined && value !== null)
    const query = asked.length ? `?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}` : ''
    const headers = { accept: 'application/json', authorization: `Bearer ${key}` }
    // What is sent is named, so that it can be tried again and is still one message.
    const isSend = path === '/api/messages/send'
    if (isSend) headers['idempotency-key'] = idempotencyKey ?? globalThis.crypto.randomUUID()
    let body
    if (upload && files.length) body = formOf(rest, upload, files)
    else if (method === 'POST' || method === 'PUT') {
      headers['content-type'] = 'application/json'
      body = JSON.stringify(rest)
    }
    const request = [`${base}${where}${query}`, { method, headers, body, signal }]
    const mayRepeat = isSend || method === 'GET'
    for (let n = 1; ; n++) {
      try {
        return await once(request)
      } catch (error) {
        // A call that did not arrive may be made again, and so may one whose answer got lost.
        const over = error instanceof RecadoError && !passes(error)
        if (over || !mayRepeat || n >= tries || signal?.aborted) throw error
        await pause(Math.max((error.retryAfter ?? 0) * 1000, 200 * 2 ** n))
      }
    }
  }
}

function formOf(fields, upload, files) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const { content, name } of files)
    form.append(upload, content instanceof Blob ? content : new Blob([content]), name)
  return form
}

const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
const headerOf = (headers, name) => (typeof headers.get === 'function' ? headers.get(name) : headers[name]) ?? ''

/**
 * The event of a webhook, if its signature is good and it is not old (Standard Webhooks). `body` is the text as it
 * came: what was parsed and written again is another text.
 */
export async function verifyWebhook(secret, headers, body, { toleranceSeconds = 300, now = new Date() } = {}) {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!id || !timestamp || !(age <= toleranceSeconds)) throw new Error('The webhook is too old, or not signed')
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), hmac, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  // Two while a secret is changed for another: one good one is enough.
  for (const one of headerOf(headers, 'webhook-signature').split(' ')) {
    const [version, signature = ''] = one.split(',')
    if (version !== 'v1' || !/^[A-Za-z0-9+/=]+$/.test(signature)) continue
    if (await subtle.verify('HMAC', key, bytesOf(signature), signed)) return JSON.parse(body)
  }
  throw new Error('The webhook is not signed by Recado')
}
