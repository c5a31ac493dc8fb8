import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { bodyLimitOf, type Endpoint, type ParsedInput, type Reply } from '@recado/contract/endpoint'
import { can } from '@recado/contract/rules'
import type { RecordTopic } from '@recado/contract/topic'
import '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodType, z } from 'zod'
import type { AuthContext, Authenticator } from '../actor.ts'
import type { ListQuery } from '../data/records.ts'
import { type Deps, Scope } from '../data/scope.ts'
import { AppError, isTransientError } from '../errors.ts'
import { eventLoopShare, type LoopSlot } from '../event-loop-share.ts'
import type { Files, Upload } from '../files/files.ts'
import { readJsonInWorker } from '../json/json-worker-pool.ts'
import { runWithTrace } from '../trace.ts'
import type { LargeBodyResult } from './large-body-reader.ts'
import { LargeJsonBody, limitsForLargeJson } from './large-json-body.ts'
import { callerAddress, type TokenBucket } from './rate-limits.ts'
import { validateInput } from './validation.ts'

/** Authentication, the rate limit of API keys, and the rate limit of anonymous calls per address. */
export type AccessControl = Authenticator & { programs: TokenBucket; anonymous: TokenBucket }

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; null: anonymous. Set before the body is read. */
    visit: AuthContext | null
  }
}

/** A file that is sent while it is created: the result of an endpoint with `stream`. */
export type StreamedFile = { name: string; type: string; content: Readable }

/** What a handler may need of the request beyond its input. */
export type HttpExchange = {
  request: FastifyRequest
  reply: FastifyReply
  uploads: Upload[]
  /** The file of the endpoint's second file field. */
  secondUpload: Upload | undefined
}
/**
 * A response that is already JSON text, composed of row texts that were checked against their shape when they were made.
 * It carries the response type, so that a handler cannot answer with the response of another endpoint.
 */
export class SerializedReply<R> {
  readonly text: string
  declare readonly says: R
  constructor(text: string) {
    this.text = text
  }
}
type HandlerResult<E extends Endpoint> = E extends { stream: readonly string[] }
  ? StreamedFile
  : z.input<E['reply']> | SerializedReply<Reply<E>>
export type Handler<E extends Endpoint> = (
  scope: Scope,
  input: ParsedInput<E>,
  exchange: HttpExchange,
) => Promise<HandlerResult<E>> | HandlerResult<E>
// biome-ignore lint/suspicious/noExplicitAny: a list of routes has a different handler type in each place
export type Route = { endpoint: Endpoint; handler: Handler<any>; transaction: boolean }

/**
 * Binds an endpoint of the contract to its handler. Access, plan, payment and shape are checked before the handler is
 * called; writes run in one transaction, unless the handler manages its own.
 */
export const route = <E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  o: { transaction?: boolean } = {},
): Route => ({ endpoint, handler, transaction: o.transaction ?? endpoint.method !== 'GET' })

type CrudAction = 'list' | 'show' | 'create' | 'update' | 'remove'
type WithId = Endpoint & { params: ZodType<{ id: number }> }
type CrudApi<Row> = {
  topic: RecordTopic<Row>
  record: { plural: string }
  list: Endpoint & { query: ZodType<ListQuery> }
  show: WithId
  create: Endpoint & { body: ZodType<object> }
  update: WithId & { body: ZodType<object> }
  remove: WithId
}
type CrudStore<Row> = {
  page(s: Scope, q: ListQuery): Promise<{ rows: Row[]; count: number; hasMore: boolean }>
  find(s: Scope, id: number): Promise<Row>
  create(s: Scope, values: object): Promise<Row>
  update(s: Scope, id: number, values: object): Promise<Row>
  remove(s: Scope, id: number): Promise<unknown>
}
/** The five standard endpoints for the records of one table. Actions in `customActions` are written by the caller. */
export function crudRoutes<Row>(
  api: CrudApi<Row>,
  store: CrudStore<NoInfer<Row>>,
  customActions: CrudAction[] = [],
): Route[] {
  const plain: Record<CrudAction, Route> = {
    list: route(api.list, async (s, { query }) => {
      const { rows, count, hasMore } = await store.page(s, query)
      return { [api.record.plural]: rows, count, hasMore }
    }),
    show: route(api.show, (s, { params }) => store.find(s, params.id)),
    create: route(api.create, (s, { body }) => store.create(s, body)),
    update: route(api.update, (s, { params, body }) => store.update(s, params.id, body)),
    remove: route(api.remove, async (s, { params }) => {
      await store.remove(s, params.id)
      return { message: 'deleted' }
    }),
  }
  return (Object.keys(plain) as CrudAction[]).filter((name) => !customActions.includes(name)).map((name) => plain[name])
}

export function mountRoutes(app: FastifyInstance, routes: Route[], deps: Deps, accessControl: AccessControl): void {
  app.decorateRequest('visit', null)
  for (const r of routes) {
    const limit = bodyLimitOf(r.endpoint)
    app.route({
      method: r.endpoint.method,
      url: r.endpoint.path,
      bodyLimit: limit,
      // Runs before the body is read: the body of a refused call is not parsed, and not read beyond the limit.
      onRequest: async (request, reply) => {
        reply.header('Cache-Control', 'no-store')
        if (!isForm(request)) rejectOversizedBody(request, limit)
        request.visit = await runWithTrace(request.id, () =>
          authorizeRequest(r.endpoint, request, reply, accessControl),
        )
        const turn = waitForLoopSlot(request.visit?.actor.companyId, reply)
        if (turn) await turn
      },
      handler: (request, reply) => runWithTrace(request.id, () => handleRequest(r, request, reply, deps)),
    })
  }
}

/** Takes a slot of the company's event loop share until the response. Anonymous callers are limited by address. */
function waitForLoopSlot(companyId: number | undefined, reply: FastifyReply): Promise<void> | undefined {
  if (companyId === undefined) return undefined
  const slot = eventLoopShare.acquire(companyId)
  if (slot instanceof Promise) return slot.then((given) => releaseSlotOnClose(given, reply))
  releaseSlotOnClose(slot, reply)
  return undefined
}
function releaseSlotOnClose(slot: LoopSlot, reply: FastifyReply): void {
  if (reply.raw.destroyed) eventLoopShare.release(slot)
  else reply.raw.once('close', () => eventLoopShare.release(slot))
}

const isForm = ({ headers }: FastifyRequest) => headers['content-type']?.startsWith('multipart/') ?? false

function rejectOversizedBody({ headers }: FastifyRequest, limit: number): void {
  if (Number(headers['content-length'] ?? 0) > limit) throw new AppError('ERR_BODY_TOO_LARGE')
}

async function handleRequest(r: Route, request: FastifyRequest, reply: FastifyReply, deps: Deps): Promise<unknown> {
  const e = r.endpoint
  const { visit: authContext } = request
  const scope = new Scope(deps, {
    companyId: authContext?.actor.companyId ?? 0,
    person: authContext?.actor ?? null,
    plan: authContext?.plan ?? {},
    wide: e.access === 'public' || e.access === 'super' || (e.across === true && authContext?.actor.super === true),
  })
  const {
    fields,
    uploads,
    beside: secondUpload,
  } = e.upload && request.isMultipart()
    ? await receiveMultipart(e, request, deps.files, scope)
    : { fields: request.body, uploads: [], beside: undefined }
  try {
    const input = {
      params: validateInput(e.params, request.params),
      query: validateInput(e.query, request.query),
      body:
        fields instanceof LargeJsonBody
          ? await validateLargeBody(e, fields, scope.companyId)
          : validateInput(e.body, fields ?? {}),
    }
    const exchange = { request, reply, uploads, secondUpload: secondUpload }
    const run = (s: Scope) => Promise.resolve(r.handler(s, input as never, exchange))
    const result = await (r.transaction ? scope.transaction(run) : run(scope))
    // The handler has already sent an NDJSON stream.
    if (reply.sent) return
    if (e.method === 'POST' && authContext) await deps.live.whenReceived(authContext.actor.sessionId)
    // Programs for older servers take anything but 200 for a failure, and some send the message again.
    reply.code(authContext?.isLineToken ? 200 : (e.status ?? 200))
    if (e.stream) return sendStream(reply, result as unknown as StreamedFile)
    if (result instanceof SerializedReply) return reply.type('application/json; charset=utf-8').send(result.text)
    const shaped = e.reply.safeParse(result)
    if (!shaped.success)
      throw new Error(`${e.method} ${e.path} sent a response that does not match its contract`, { cause: shaped.error })
    if (e.file) reply.type(contentTypeForFile(e.file)).header('Content-Disposition', `attachment; filename="${e.file}"`)
    return shaped.data as Reply<Endpoint>
  } finally {
    await Promise.all([...uploads, secondUpload].map((u) => u && deps.files.discard(u)))
  }
}

/** The file is always downloaded, never shown inline; opened as a page, it may neither run nor load anything. */
function sendStream(reply: FastifyReply, { name, type, content }: StreamedFile): FastifyReply {
  const plain = name.replace(/[^\w. -]/g, '_')
  return reply
    .type(type)
    .header('Content-Disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('Content-Security-Policy', "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")
    .header('X-Content-Type-Options', 'nosniff')
    .send(content)
}

export const contentTypeForFile = (name: string): string =>
  name.endsWith('.csv')
    ? 'text/csv; charset=utf-8'
    : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Checks session, payment, role and plan, in this order; each has its own error code. */
async function authorizeRequest(
  e: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  accessControl: AccessControl,
): Promise<AuthContext | null> {
  const { authorization } = request.headers
  if (e.access === 'public') {
    takeRateLimitToken(accessControl.anonymous, callerAddress(request))
    return accessControl.fromHeader(authorization).catch(() => null)
  }
  const authContext =
    (await accessControl.fromKey(authorization, e, callerAddress(request))) ??
    (await accessControl.fromHeader(authorization))
  if (authContext.actor.key) takeRateLimitToken(accessControl.programs, String(authContext.actor.key.id), reply)
  if (!authContext.companyActive && e.whenExpired !== true) throw new AppError('ERR_COMPANY_INACTIVE')
  // Users of an unpaid company may still read; API clients may not.
  const isAllowedUnpaid = e.whenExpired === true || (e.whenExpired === 'read' && !authContext.actor.key)
  if (!authContext.isPaid && !isAllowedUnpaid) throw new AppError('ERR_SUBSCRIPTION_EXPIRED')
  if (e.access === 'super' ? !authContext.actor.super : e.access !== 'session' && !can(authContext.actor, e.access))
    throw new AppError('ERR_NO_PERMISSION')
  if (e.plan && !authContext.plan[e.plan]) throw new AppError('ERR_PLAN_FEATURE')
  if (authContext.actor.key && !authContext.plan.useExternalApi) throw new AppError('ERR_PLAN_FEATURE')
  return authContext
}

/** Applies the rate limit. API clients get their remaining calls with every response, and a refusal says when to retry. */
function takeRateLimitToken(bucket: TokenBucket, key: string, reply?: FastifyReply): void {
  const { left, fullInMs: fullIn, retryInMs: nextIn } = bucket.take(key)
  reply?.headers({
    'RateLimit-Limit': bucket.capacity,
    'RateLimit-Remaining': left,
    'RateLimit-Reset': Math.ceil(fullIn / 1000),
  })
  if (nextIn > 0) throw new AppError('ERR_RATE_LIMIT', undefined, { retryAfter: Math.ceil(nextIn / 1000) })
}

const bodyReader = new URL('./large-body-reader.ts', import.meta.url)

/** Parses and checks the body in a worker thread. An endpoint without a body shape does not parse it at all. */
async function validateLargeBody(e: Endpoint, { bytes }: LargeJsonBody, companyId: number): Promise<unknown> {
  if (!e.body) return undefined
  const { head, items } = await readJsonInWorker<LargeBodyResult, unknown>(
    companyId,
    bytes,
    bodyReader,
    limitsForLargeJson(bodyLimitOf(e)),
    `${e.method} ${e.path}`,
  )
  if ('problems' in head) throw new AppError('ERR_VALIDATION', head.problems)
  return 'isList' in head ? items : head.data
}

/** Multipart: text fields as one value or a list, files streamed to disk with their real type. */
async function receiveMultipart(e: Endpoint, request: FastifyRequest, files: Files, { companyId, person }: Scope) {
  const maxFieldBytes = bodyLimitOf(e)
  const sender = `${companyId}:${person?.id ?? 0}`
  files.uploadBudget.check(sender)
  const uploads: Upload[] = []
  let secondUpload: Upload | undefined
  const fields: Record<string, string | string[]> = {}
  let fieldBytes = 0
  try {
    for await (const part of request.parts({
      limits: { fileSize: files.maxUploadBytes, files: 50, fields: 500, fieldSize: 100_000 },
    })) {
      if (part.type === 'field') {
        const before = fields[part.fieldname]
        // Browsers write every line break of a form as CR LF.
        const value = String(part.value ?? '').replaceAll('\r\n', '\n')
        fieldBytes += Buffer.byteLength(value)
        if (fieldBytes > maxFieldBytes) throw new AppError('ERR_BODY_TOO_LARGE')
        fields[part.fieldname] = before === undefined ? value : [before, value].flat()
      } else if (part.fieldname === e.upload) {
        files.uploadBudget.check(sender)
        const upload = await files.receive(part.file, part.filename)
        files.uploadBudget.add(sender, upload.size)
        uploads.push(upload)
      } else if (part.fieldname === e.beside && !secondUpload)
        secondUpload = await files.receive(part.file, part.filename)
      else part.file.resume()
    }
    return { fields, uploads, beside: secondUpload }
  } catch (error) {
    await Promise.all([...uploads, secondUpload].map((u) => u && files.discard(u)))
    // Disk and framework errors have a code; the parser's own errors about the form do not.
    throw error instanceof Error && 'code' in error ? error : new AppError('ERR_SYNTAX')
  }
}

/** Files are read to their end after a refusal, as browsers expect; other bodies only if within the size limit. */
function hasUnreadBody(request: FastifyRequest): boolean {
  if (isForm(request)) return false
  const limit = request.routeOptions.bodyLimit ?? 0
  return 'transfer-encoding' in request.headers || Number(request.headers['content-length'] ?? 0) > limit
}

/** Turns any thrown error into a response of the catalogue; also for failures before a route is found. */
export function replyWithError(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // Fastify closes the connection after a refused body. This does the same when a call is refused before the
  // body is read.
  if (!request.raw.complete && hasUnreadBody(request)) reply.header('connection', 'close')
  if (error instanceof AppError) {
    if ('retryAfter' in error.details) reply.header('Retry-After', String(error.details.retryAfter))
    return reply
      .code(error.status)
      .send({ error: error.code, ...(error.fields && { fields: error.fields }), ...error.details })
  }
  const status = error.statusCode ?? 500
  if (status === 413) return reply.code(413).send({ error: 'ERR_BODY_TOO_LARGE' })
  if (status >= 400 && status < 500)
    return reply.code(status === 401 || status === 403 ? 400 : status).send({ error: 'ERR_SYNTAX' })
  // Usually the database is briefly unavailable: the caller is not at fault, and the session must not end.
  if (isTransientError(error)) {
    request.log.warn({ err: error, trace: request.id }, 'not ready')
    return reply.code(503).header('retry-after', '2').send({ error: 'ERR_NOT_READY' })
  }
  request.log.error({ err: error, trace: request.id }, 'unexpected')
  return reply.code(500).send({ error: 'ERR_INTERNAL_SERVER_ERROR' })
}

/** Invalid HTTP, such as an endless URL, gets the same error format. */
export function replyToMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code ?? ''] ?? 400
  const body = JSON.stringify({ error: 'ERR_SYNTAX' })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${body}`,
    )
  socket.destroy(error)
}

export function registerErrorHandlers(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'ERR_NOT_FOUND' }))
  app.setErrorHandler(replyWithError)
}
