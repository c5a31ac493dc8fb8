import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { ByteRange, FileStore, FileStoreEntry } from './file-store.ts'

/** The parts of `s3://KEY:SECRET@host:port/bucket/prefix?region=…&tls=false&style=host`. */
export type S3Address = {
  endpoint: string
  bucket: string
  prefix: string
  region: string
  key: string
  secret: string
  /** Whether the bucket is part of the host name instead of the path. */
  byHost: boolean
}

/** Parses the URL of an S3 store. Null: the URL is invalid. */
export function readS3Address(url: string): S3Address | null {
  if (!URL.canParse(url)) return null
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(url)
  const [bucket = '', ...prefix] = pathname.split('/').filter(Boolean).map(decodeURIComponent)
  const tls = searchParams.get('tls') ?? 'true'
  const style = searchParams.get('style') ?? 'path'
  const known = ['tls', 'style', 'region']
  const isSense = ['true', 'false'].includes(tls) && ['path', 'host'].includes(style)
  if (protocol !== 's3:' || !hostname || !bucket || !username || !password || !isSense) return null
  if ([...searchParams.keys()].some((name) => !known.includes(name))) return null
  return {
    endpoint: `${tls === 'true' ? 'https' : 'http'}://${hostname}${port && `:${port}`}`,
    bucket,
    prefix: prefix.map((part) => `${part}/`).join(''),
    region: searchParams.get('region') ?? 'us-east-1',
    key: decodeURIComponent(username),
    secret: decodeURIComponent(password),
    byHost: style === 'host',
  }
}

/** Retry pauses for an unreachable store. */
const retryDelaysMs = [200, 800]
/**
 * A store that does not begin to answer within this time counts as unreachable: a line that waits for a file cannot send
 * anything else meanwhile. Uploads may take longer.
 */
const defaultTimeouts = { answerMs: 15_000, sendMs: 120_000 }

/** An unreachable store is a transient failure, like an unreachable database (`isTransientError`). */
function unreachableError(why: string, cause?: unknown): Error {
  return Object.assign(new Error(`The store of files does not answer: ${why}`, { cause }), { code: 'ECONNREFUSED' })
}
const missingFileError = (name: string) => Object.assign(new Error(`There is no file ${name}`), { code: 'ENOENT' })

/** Any S3-compatible store. Its content is served through this server only: browsers never see its URLs. */
/** A listing page has a thousand files at most. */
const maxPageBytes = 4 * 1024 * 1024

async function readListPage(answer: Response): Promise<string> {
  const letters = new TextDecoder()
  let page = ''
  for await (const part of answer.body ?? []) {
    page += letters.decode(part, { stream: true })
    if (page.length > maxPageBytes) throw new Error('The store of files lists more than a page')
  }
  return page + letters.decode()
}

export function makeS3Store(at: S3Address, pace = defaultTimeouts): FileStore {
  const client = new AwsClient({
    accessKeyId: at.key,
    secretAccessKey: at.secret,
    service: 's3',
    region: at.region,
    retries: 0,
  })
  const base = at.byHost ? at.endpoint.replace('://', `://${at.bucket}.`) : `${at.endpoint}/${at.bucket}`
  const keyOf = (companyId: number, name: string) => `${at.prefix}${companyId}/${name}`
  const addressOf = (companyId: number, name: string) => `${base}/${keyOf(companyId, name)}`

  async function sendRequest(url: string, init: RequestInit): Promise<Response> {
    // The request is signed again for each attempt, because a signature is valid only for minutes.
    const signed = await client.sign(url, { method: init.method ?? 'GET', headers: init.headers ?? {} })
    const late = new AbortController()
    const sent = { ...init, headers: signed.headers, redirect: 'error' as const, signal: late.signal }
    const timer = setTimeout(() => late.abort(new Error('in time')), init.body ? pace.sendMs : pace.answerMs)
    const answer = await fetch(signed.url, sent)
      .catch((error: Error) => {
        throw unreachableError((error.cause as Error | undefined)?.message ?? error.message, error)
      })
      .finally(() => clearTimeout(timer))
    if (answer.ok || answer.status === 404) return answer
    const why = (await answer.text().catch(() => '')).slice(0, 500)
    if (answer.status >= 500 || answer.status === 429) throw unreachableError(`${answer.status} ${why}`)
    throw new Error(`The store of files refused ${init.method ?? 'GET'}: ${answer.status} ${why}`)
  }
  async function requestWithRetries(url: string, init: RequestInit = {}): Promise<Response> {
    for (const wait of retryDelaysMs) {
      try {
        return await sendRequest(url, init)
      } catch (error) {
        if (Reflect.get(error as Error, 'code') !== 'ECONNREFUSED') throw error
        await pause(wait)
      }
    }
    return sendRequest(url, init)
  }
  const done = async (answer: Response): Promise<boolean> => {
    await answer.body?.cancel()
    return answer.ok
  }
  const removeOne = async (companyId: number, name: string) =>
    void (await done(await requestWithRetries(addressOf(companyId, name), { method: 'DELETE' })))

  async function* listEntries(only?: number): AsyncGenerator<FileStoreEntry> {
    const prefix = `${at.prefix}${only === undefined ? '' : `${only}/`}`
    for (let token = ''; ; ) {
      const asked = new URLSearchParams({ 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) })
      const answer = await requestWithRetries(`${base}/?${asked}`)
      if (!answer.ok) throw new Error(`The store of files has no bucket ${at.bucket}`)
      const page = await readListPage(answer)
      for (const part of page.split('</Contents>').slice(0, -1)) {
        const entry = part.slice(part.lastIndexOf('<Contents>'))
        const key = textInTag(entry, 'Key').slice(at.prefix.length)
        const [, companyId, name] = /^(\d+)\/([^/]+)$/.exec(key) ?? []
        if (companyId && name)
          yield {
            companyId: Number(companyId),
            name,
            createdAtMs: Date.parse(textInTag(entry, 'LastModified')),
            bytes: Number(textInTag(entry, 'Size')) || 0,
          }
      }
      token = textInTag(page, 'IsTruncated') === 'true' ? textInTag(page, 'NextContinuationToken') : ''
      if (!token) return
    }
  }

  return {
    list: listEntries,
    localPath: () => null,
    async removeAll(companyId) {
      for await (const { name } of listEntries(companyId)) await removeOne(companyId, name)
    },
    async put(companyId, name, from) {
      const sum = createHash('sha256')
      await pipeline(createReadStream(from), sum)
      // The checksum is part of the signature, so the store refuses content that differs.
      const headers = { 'x-amz-content-sha256': sum.digest('hex') }
      const answer = await requestWithRetries(addressOf(companyId, name), {
        method: 'PUT',
        headers,
        body: await openAsBlob(from),
      })
      if (!(await done(answer))) throw new Error(`The store of files has no bucket ${at.bucket}`)
      await rm(from, { force: true })
    },
    async copy(companyId, name, as) {
      const headers = { 'x-amz-copy-source': `/${at.bucket}/${keyOf(companyId, name)}` }
      return done(await requestWithRetries(addressOf(companyId, as), { method: 'PUT', headers }))
    },
    async size(companyId, name) {
      const answer = await requestWithRetries(addressOf(companyId, name), { method: 'HEAD' })
      return (await done(answer)) ? Number(answer.headers.get('content-length')) : null
    },
    read(companyId, name, range) {
      const through = new PassThrough()
      const body = async () => {
        const answer = await requestWithRetries(addressOf(companyId, name), { headers: rangeHeader(range) })
        if (!answer.ok || !answer.body) throw missingFileError(name)
        through.emit('open')
        // The stream types of the two libraries differ only in a detail that is not used.
        return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
      }
      body().then(
        (content) => pipeline(content, through).catch(() => {}),
        (error: Error) => through.destroy(error),
      )
      return through
    },
    async remove(companyId, names) {
      for (const name of names) await removeOne(companyId, name)
    },
  }
}

const rangeHeader = (range: ByteRange | undefined): Record<string, string> =>
  range ? { range: `bytes=${range.start}-${range.end}` } : {}

const textInTag = (text: string, tag: string): string =>
  (new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
