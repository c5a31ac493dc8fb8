import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message received by the fake Meta: its body, and the id it got. */
export type AcceptedSend = { wamid: string; body: Record<string, unknown> & { biz_opaque_callback_data?: string } }
type GraphAccount = { phoneNumberId: string; businessAccountId: string; accessToken: string; appSecret: string }
type GraphAnswer = { status: number; body: unknown; headers?: Record<string, string> }

/**
 * How the next send is treated instead of being accepted. `die`: accepted, and the connection breaks before the answer.
 * `hang`: no answer, accepted or not. `stall`: accepted, no answer. `late`: accepted, and answered when the given promise
 * resolves. `garbage`: a proxy answers with an HTML page.
 */
export type GraphTrouble =
  | { kind: 'refuse'; status?: number; code: number; title?: string; retryAfter?: string }
  | { kind: 'late'; after: Promise<unknown> }
  | { kind: 'die' | 'stall' | 'hang' | 'cut' | 'garbage' }

/** The operator's app at Meta, as the server under test knows it. */
export const fakeMetaApp = { id: '9900001', secret: 'secret-of-the-app', configId: '9900002' }

/** A permission that a person gave in Meta's dialog. */
type Grant = { code: string; accounts: GraphAccount[]; wasUsed: boolean }

const generateWamid = () => `wamid.${randomBytes(24).toString('base64')}`
export const graphError = (code: number, title = `(#${code}) refused`, details = title) => ({
  error: { message: title, type: 'OAuthException', code, error_data: { messaging_product: 'whatsapp', details } },
})

/** A fake of Meta's Graph API for WhatsApp, on loopback, with its failures. */
export async function fakeGraph() {
  const accounts: GraphAccount[] = []
  const acceptedSends: AcceptedSend[] = []
  const reads: Record<string, unknown>[] = []
  const files = new Map<string, { bytes: Buffer; mime: string; name: string }>()
  const templates: Record<string, unknown>[] = []
  const troubles: GraphTrouble[] = []
  const lookTroubles: GraphTrouble[] = []
  const subscribed: string[] = []
  /** The webhook per account, instead of the app's. */
  const webhookOverrides = new Map<string, { url: string; verifyToken: string }>()
  /** Whether Meta can reach webhooks, which it calls before it accepts them. */
  const reach = { webhooks: true }
  const grants: Grant[] = []
  /** Failures of the next calls of a signup, by path. */
  const signupTroubles = new Map<string, GraphTrouble>()
  /** What Meta answers about the health of a number. */
  const numberHealth: { quality_rating?: string; messaging_limit_tier?: string } = {}
  const unknownFields: string[] = []
  /** What was requested of the WhatsApp Business app on the same number. */
  const phoneAppSyncs: string[] = []
  const calls: { method: string; path: string; at: number; isSend: boolean }[] = []
  const hanging = new Set<ServerResponse>()
  /** Parallel sends. While `waitForCount` is set, sends wait until this many have arrived. */
  const parallelSends = { waitForCount: 0, current: 0, maxSeen: 0 }
  let gathered = Promise.withResolvers<void>()
  let idCount = 0

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', base)
    const path = url.pathname.replace(/^\/v0\//, '')
    const call = { method: request.method ?? '', path, at: performance.now(), isSend: false }
    calls.push(call)
    const body = await readBody(request)
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    const ownAccounts = accounts.filter((a) => a.accessToken === token)
    // One token may serve several numbers.
    const account = ownAccounts.find((a) => path.startsWith(`${a.phoneNumberId}`)) ?? ownAccounts[0]
    const signupStep = path.split('/').at(-1) ?? ''
    const signupTrouble = signupTroubles.get(signupStep)
    signupTroubles.delete(signupStep)
    if (signupTrouble) return misbehave(signupTrouble, request, response, path, body, account as GraphAccount)
    if (path === 'dialog/oauth') return answerDialog(url, response)
    if (path === 'oauth/access_token') return writeAnswer(response, exchangeCode(url))
    if (path === 'debug_token') return writeAnswer(response, describeToken(url, token))
    const file = /^files\/(\w+)$/.exec(path)?.[1]
    if (file) return sendFile(response, account && files.get(file))
    if (!account) return writeAnswer(response, { status: 401, body: graphError(190, 'Error validating access token') })
    const isPost = path === `${account.phoneNumberId}/messages`
    const isRead = isPost && body.includes('"status":"read"')
    call.isSend = isPost && !isRead
    const trouble = isRead ? undefined : isPost ? troubles.shift() : lookTroubles.shift()
    if (trouble) return misbehave(trouble, request, response, path, body, account)
    if (call.isSend && parallelSends.waitForCount) await waitForParallel()
    const isSubscription = request.method === 'POST' && path === `${account.businessAccountId}/subscribed_apps`
    const refusal = isSubscription ? await overrideWebhook(account, body) : null
    writeAnswer(response, refusal ?? route(request, url, path, body, account))
  }

  /** The person agrees at once, and the dialog returns with the newest code. */
  function answerDialog(url: URL, response: ServerResponse): void {
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    const code = grants.at(-1)?.code
    for (const [name, value] of Object.entries(code ? { code } : { error: 'access_denied' }))
      back.searchParams.set(name, value)
    back.searchParams.set('state', url.searchParams.get('state') ?? '')
    response.writeHead(302, { location: back.href }).end()
  }

  function exchangeCode({ searchParams }: URL): GraphAnswer {
    const grant = grants.find(({ code }) => code === searchParams.get('code'))
    const isOurApp =
      searchParams.get('client_id') === fakeMetaApp.id && searchParams.get('client_secret') === fakeMetaApp.secret
    if (!isOurApp || !searchParams.get('redirect_uri')?.endsWith('/connections') || !grant || grant.wasUsed)
      return { status: 400, body: graphError(100, 'This authorization code has been used.') }
    grant.wasUsed = true
    return okAnswer({ access_token: grant.accounts[0]?.accessToken ?? `token-${grant.code}`, token_type: 'bearer' })
  }

  function describeToken({ searchParams }: URL, appToken: string): GraphAnswer {
    if (appToken !== `${fakeMetaApp.id}|${fakeMetaApp.secret}`)
      return { status: 400, body: graphError(190, 'Invalid OAuth access token') }
    const shared = accounts.filter(({ accessToken }) => accessToken === searchParams.get('input_token'))
    const targets = [...new Set(shared.map(({ businessAccountId }) => businessAccountId))]
    const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
    return okAnswer({
      data: {
        app_id: fakeMetaApp.id,
        is_valid: true,
        granular_scopes: targets.length ? scopes.map((scope) => ({ scope, target_ids: targets })) : [],
      },
    })
  }

  /** Like Meta, calls the given webhook before it accepts it. */
  async function overrideWebhook({ businessAccountId }: GraphAccount, body: Buffer): Promise<GraphAnswer | null> {
    const { override_callback_uri: url, verify_token: verifyToken } = JSON.parse(body.toString() || '{}')
    if (!url) return null
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.verify_token': verifyToken,
      'hub.challenge': '4711',
    })
    const answer = reach.webhooks ? await fetch(`${url}?${query}`).catch(() => null) : null
    if (!answer?.ok || (await answer.text()) !== '4711')
      return { status: 400, body: graphError(2200, '(#2200) Callback verification failed') }
    webhookOverrides.set(businessAccountId, { url, verifyToken })
    return null
  }

  async function waitForParallel(): Promise<void> {
    parallelSends.maxSeen = Math.max(parallelSends.maxSeen, ++parallelSends.current)
    if (parallelSends.current >= parallelSends.waitForCount) {
      // Later sends do not wait for each other.
      parallelSends.waitForCount = 0
      gathered.resolve()
      gathered = Promise.withResolvers()
    } else await gathered.promise
    parallelSends.current--
  }

  function misbehave(
    trouble: GraphTrouble,
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    body: Buffer,
    account: GraphAccount,
  ): void {
    if (trouble.kind === 'refuse') {
      const headers: Record<string, string> = trouble.retryAfter ? { 'retry-after': trouble.retryAfter } : {}
      writeAnswer(response, { status: trouble.status ?? 400, body: graphError(trouble.code, trouble.title), headers })
      return
    }
    if (trouble.kind === 'garbage') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
      return
    }
    if (trouble.kind === 'cut') return void request.socket.destroy()
    if (trouble.kind === 'hang') return void hanging.add(response)
    const graphAnswer = route(request, new URL(base), path, body, account)
    if (trouble.kind === 'late') return void trouble.after.then(() => writeAnswer(response, graphAnswer))
    if (trouble.kind === 'stall') return void hanging.add(response)
    request.socket.destroy()
  }

  function route(request: IncomingMessage, url: URL, path: string, body: Buffer, account: GraphAccount): GraphAnswer {
    const { phoneNumberId, businessAccountId } = account
    if (request.method === 'GET' && path === phoneNumberId)
      return requestsUnknownField(url)
        ? { status: 400, body: graphError(100, '(#100) Tried accessing nonexisting field on node') }
        : okAnswer({
            id: phoneNumberId,
            display_phone_number: '+1 555 010-2030',
            verified_name: 'Tienda',
            ...numberHealth,
          })
    if (request.method === 'GET' && path === `${businessAccountId}/message_templates`) return page(url)
    if (request.method === 'GET' && path === `${businessAccountId}/phone_numbers`) return listNumbers(url, account)
    if (path === `${businessAccountId}/subscribed_apps`) {
      subscribed.push(businessAccountId)
      return okAnswer({ success: true })
    }
    if (path === `${phoneNumberId}/smb_app_data`) {
      const { sync_type } = JSON.parse(body.toString()) as { sync_type: string }
      // Meta hands each kind over once.
      if (phoneAppSyncs.includes(sync_type)) return { status: 400, body: graphError(2593107, 'Sync already requested') }
      phoneAppSyncs.push(sync_type)
      return okAnswer({ messaging_product: 'whatsapp', request_id: 'r1' })
    }
    if (path === `${phoneNumberId}/messages`) return send(JSON.parse(body.toString()))
    if (path === `${phoneNumberId}/calls`) return okAnswer({ success: true })
    if (path === `${phoneNumberId}/media`) return upload(request, body)
    const found = files.get(path)
    if (request.method === 'GET' && found)
      return okAnswer({ id: path, url: `${base}/files/${path}`, mime_type: found.mime, file_size: found.bytes.length })
    return { status: 400, body: graphError(100, 'Unsupported request, the object does not exist') }
  }

  function listNumbers(url: URL, { accessToken, businessAccountId }: GraphAccount): GraphAnswer {
    if (requestsUnknownField(url))
      return { status: 400, body: graphError(100, '(#100) Tried accessing nonexisting field on node') }
    const own = accounts.filter((a) => a.accessToken === accessToken && a.businessAccountId === businessAccountId)
    const data = own.map(({ phoneNumberId }, n) => ({
      id: phoneNumberId,
      display_phone_number: `+1 555 010-203${n}`,
      verified_name: 'Tienda',
      ...(url.searchParams.get('fields')?.includes('is_on_biz_app') && { is_on_biz_app: n === 0 }),
    }))
    return okAnswer({ data })
  }

  const requestsUnknownField = (url: URL): boolean =>
    (url.searchParams.get('fields') ?? '').split(',').some((field) => unknownFields.includes(field))

  function send(body: AcceptedSend['body']): GraphAnswer {
    if (body.status === 'read') {
      reads.push(body)
      return okAnswer({ success: true })
    }
    const wrong = body.type === 'template' ? wrongIn(body.template as SentTemplate) : ''
    if (wrong) return { status: 400, body: graphError(132_012, 'Parameter format does not match', wrong) }
    const id = generateWamid()
    acceptedSends.push({ wamid: id, body })
    const to = body.to ?? body.recipient
    return okAnswer({ messaging_product: 'whatsapp', contacts: [{ input: to, wa_id: to }], messages: [{ id }] })
  }

  /** Why Meta would refuse a known template: parts that were not approved, or missing values. */
  function wrongIn({ name, components = [] }: SentTemplate): string {
    const known = templates.find((t) => t.name === name)
    if (!known) return ''
    const parts = known.components as ApprovedPart[]
    const sent = (type: string) => components.filter((c) => c.type === type)
    const format = parts.find((p) => p.type === 'HEADER')?.format?.toLowerCase()
    const [top] = sent('header')[0]?.parameters ?? []
    if (format && format !== 'text') {
      const file = files.get(String((top?.[format] as { id?: string } | undefined)?.id))
      if (top?.type !== format || !file) return `header needs ${format}`
      if (format !== 'document' && !file.mime.startsWith(format)) return `${file.mime} is no ${format}`
    }
    const buttons = parts.find((p) => p.type === 'BUTTONS')?.buttons ?? []
    for (const [n, button] of buttons.entries()) {
      const part = sent('button').find((c) => c.index === String(n))
      const wants = button.url?.includes('{{') ? 'url' : button.type === 'COPY_CODE' ? 'copy_code' : ''
      const given = part?.parameters[0]
      const words = wants === 'url' ? given?.text : given?.coupon_code
      if (wants && (part?.sub_type !== wants || !words)) return `button ${n} needs ${wants}`
      if (!wants && part) return `button ${n} takes nothing`
      if (known.category === 'AUTHENTICATION' && given?.text !== sent('body')[0]?.parameters[0]?.text)
        return 'the code must be the same in both places'
    }
    return ''
  }

  function upload(request: IncomingMessage, body: Buffer): GraphAnswer {
    const mark = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
    const text = body.toString('latin1')
    const from = text.indexOf('\r\n\r\n', text.indexOf('name="file"')) + 4
    const bytes = body.subarray(from, text.lastIndexOf(`\r\n--${mark}--`))
    const mime = /name="type"\r\n\r\n([^\r]+)/.exec(text)?.[1] ?? ''
    const name = /filename="([^"]*)"/.exec(text)?.[1] ?? ''
    const right = Number(request.headers['content-length']) === body.length && text.includes('messaging_product')
    return right ? okAnswer({ id: keepFile(bytes, mime, name) }) : { status: 400, body: graphError(100, 'bad form') }
  }

  function page(url: URL): GraphAnswer {
    const limit = 2
    const from = Number(url.searchParams.get('after') ?? 0)
    const data = templates.slice(from, from + limit)
    const next = from + limit < templates.length
    const cursors = { before: String(from), after: String(from + limit) }
    return okAnswer({ data, paging: { cursors, ...(next && { next: `${base}/more` }) } })
  }

  /** Stores a file that a customer sent or that was uploaded; returns its id. */
  function keepFile(bytes: Buffer, mime: string, name = ''): string {
    const id = `file${++idCount}`
    files.set(id, { bytes, mime, name })
    return id
  }

  return {
    base,
    accounts,
    acceptedSends: acceptedSends,
    readReceipts: reads,
    files,
    templates,
    /** Failures of the next sends, in order (`troubles`), and of the next other calls (`otherTroubles`). */
    troubles,
    otherTroubles: lookTroubles,
    subscribed,
    webhookOverrides,
    reach,
    signupTroubles,
    /** The person agrees in Meta's dialog: the code that it returns. */
    grantCode(...shared: GraphAccount[]): string {
      const code = `code-${++idCount}`
      grants.push({ code, accounts: shared, wasUsed: false })
      return code
    },
    /** From now on the person refuses in Meta's dialog. */
    refuseDialog: () => void grants.splice(0),
    numberHealth,
    phoneAppSyncs,
    /** Fields of a number that this version of the API does not have. */
    unknownFields,
    calls,
    parallelSends: parallelSends,
    storeFile: keepFile,
    createAccount(overrides: Partial<GraphAccount> = {}): GraphAccount {
      const id = ++idCount
      const account = {
        phoneNumberId: `10${id}00`,
        businessAccountId: `20${id}00`,
        accessToken: `token-${id}`,
        appSecret: `secret-${id}`,
        ...overrides,
      }
      accounts.push(account)
      return account
    },
    async close(): Promise<void> {
      for (const response of hanging) response.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
export type FakeGraph = Awaited<ReturnType<typeof fakeGraph>>

type SentTemplate = {
  name: string
  components?: { type: string; sub_type?: string; index?: string; parameters: Record<string, unknown>[] }[]
}
type ApprovedPart = { type: string; format?: string; buttons?: { type: string; url?: string }[] }

const okAnswer = (body: unknown): GraphAnswer => ({ status: 200, body })

function writeAnswer(response: ServerResponse, { status, body, headers = {} }: GraphAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function sendFile(response: ServerResponse, file: { bytes: Buffer; mime: string } | undefined): void {
  if (file) response.writeHead(200, { 'content-type': file.mime }).end(file.bytes)
  else response.writeHead(404).end()
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

export const signWebhookBody = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
