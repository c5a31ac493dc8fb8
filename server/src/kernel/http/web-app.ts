import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { isScreenAddress } from '@recado/contract/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import { serveAssets } from './assets.ts'

/** Paths that never serve the app, even if a browser accepts HTML. */
const apiOnlyPaths = /^\/(public|webhooks|docs|metrics|healthz|readyz|version|socket\.io|assets)(\/|$|\?)/

/**
 * App and API share one origin: a GET that accepts text/html gets the app, and so does a monitor; every other call gets
 * the API. The same URL
 * (/tags, /tickets) is both, so caches must separate them.
 */
export async function serveWebApp(app: FastifyInstance, webDir: string): Promise<void> {
  const page = readPage(webDir)
  const workerFile = join(webDir, 'sw.js')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Vary', 'Accept, Origin')
    if (wantsApp(request)) return sendPage(reply, page())
  })
  serveAssets(app, webDir)
  await app.register(fastifyStatic, {
    root: webDir,
    index: false,
    wildcard: true,
    decorateReply: false,
    setHeaders: (res, path) => {
      if (path === workerFile)
        // A service worker uses the policy it was served with: it may load pages and files from us, and nothing else.
        res
          .header('Cache-Control', 'no-cache')
          .header('Content-Security-Policy', "default-src 'none'; connect-src 'self'")
    },
  })
}

const wantsApp = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !apiOnlyPaths.test(request.url) &&
  ((request.headers.accept ?? '').includes('text/html') || isMonitor(request))

/**
 * Uptime monitors and link previews accept anything and bring no session. At the address of a screen they get the page,
 * because the API could only refuse them.
 */
const isMonitor = ({ headers, url }: FastifyRequest) =>
  ['', '*/*'].includes((headers.accept ?? '').trim()) && !headers.authorization && isScreenAddress(pathOf(url))

/** The path without a slash at its end. */
function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** The page is read on first use: the server also runs without a built web app, for the API alone. */
function readPage(webDir: string): () => string {
  let html: string | undefined
  return () => {
    const file = join(webDir, 'index.html')
    if (!html && !existsSync(file)) throw new AppError('ERR_NOT_FOUND')
    html ??= readFileSync(file, 'utf8')
    return html
  }
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .header('Content-Security-Policy', contentSecurityPolicy(nonce))
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html.replaceAll('%NONCE%', nonce))
}

/** Help videos come from YouTube's cookieless host; all other sources are our own. Only our PDFs may be framed. */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https://i.ytimg.com",
    "media-src 'self' blob:",
    "font-src 'self'",
    // 'self' also covers the socket of the same host.
    "connect-src 'self'",
    "frame-src 'self' https://www.youtube-nocookie.com",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** API responses are data: nothing in them may run, be framed or be sniffed as another type. */
const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; style-src 'self'; img-src 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  // For old browsers: no prefetching, no opening of downloads, no Flash, no built-in XSS filters.
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
/**
 * A PDF may be framed only by our own page. `object-src` is needed, because some browsers embed a PDF in an object
 * element.
 */
const pdfPolicy = "default-src 'none'; object-src 'self'; frame-ancestors 'self'"
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(securityHeaders)
    next()
  })
}

/** Stored files, by signed URL only. Active content is offered as a download. */
export function serveStoredFiles(app: FastifyInstance, files: Files): void {
  app.get<{ Params: { company: string; name: string; shown: string }; Querystring: { until?: string; sig?: string } }>(
    '/public/:company/:name/:shown',
    async (request, reply) => {
      const { company, name, shown } = request.params
      const file = await files.openSigned(company, name, shown, request.query)
      const range = readRange(request.headers.range, file.size)
      reply
        .type(file.type)
        .header('X-Content-Type-Options', 'nosniff')
        .header('Cache-Control', 'private, max-age=3600')
        .header('Accept-Ranges', 'bytes')
        .header(
          'Content-Disposition',
          `${file.inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(shown)}`,
        )
      // The type comes from the file's bytes, not its name: an HTML page named like a PDF cannot be framed.
      if (file.type === 'application/pdf') reply.header('Content-Security-Policy', pdfPolicy)
      if (!range) return reply.header('Content-Length', file.size).send(file.read())
      return reply
        .code(206)
        .header('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
        .header('Content-Length', range.end - range.start + 1)
        .send(file.read(range))
    },
  )
  app.get('/public/*', () => {
    throw new AppError('ERR_NOT_FOUND')
  })
}

/** Parses a single range, as players request it; for any other header the whole file is sent. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (!from && !to) return null
  const start = from ? Number(from) : Math.max(0, size - Number(to))
  const end = from && to ? Math.min(Number(to), size - 1) : size - 1
  return start <= end && start < size ? { start, end } : null
}
