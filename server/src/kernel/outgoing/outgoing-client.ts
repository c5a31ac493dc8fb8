import { lookup, Resolver } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { makeCircuitBreaker } from './circuit-breaker.ts'

/**
 * The only way to call an address that others chose: a browser's push service, a company's webhook. It reaches
 * public addresses only, whatever a name resolves to, and never follows redirects.
 */
export type OutgoingClient = ReturnType<typeof makeOutgoingClient>
export type OutgoingCall = {
  /** The company on whose behalf the call is made. After repeated failures its calls pause for a while. */
  companyId: number
  /** Calls with another purpose are paused separately: dead links from customers must not pause webhooks. */
  purpose?: string
  method?: string
  headers?: Record<string, string | number>
  body?: Buffer | string
  /** Timeout of the whole call. */
  timeoutMs?: number
  /** A client certificate, if required: a P12 file. */
  identity?: { pfx: Buffer; passphrase: string }
  /** Aborts the call. An aborted call does not count as a failure of the target. */
  signal?: AbortSignal
  /** Whether a user requested the call: then it is made even while calls are paused. */
  insists?: boolean
  /** Maximum bytes of the response. */
  mostBytes?: number
  /** For a streamed response: called with each piece if the status is successful. Pieces are not kept. */
  onData?: (piece: Buffer) => void
  /** Whether a response counts as a failure of the target. It is returned all the same. */
  isBad?: (outgoingReply: OutgoingReply) => boolean
}

export class OutgoingReply {
  readonly status: number
  readonly bytes: Buffer
  /** The media type, without its parameters. */
  readonly type: string
  /** How long to wait before a retry; null: not given. */
  readonly retryAfterMs: number | null
  /** Whether the response was truncated. */
  readonly isTruncated: boolean
  /** The target of a redirect, which is never followed here. */
  readonly location: string | null

  constructor(answer: IncomingMessage, bytes: Buffer, isTruncated: boolean) {
    this.status = answer.statusCode ?? 0
    this.bytes = bytes
    this.isTruncated = isTruncated
    this.location = this.status >= 300 && this.status < 400 ? (answer.headers.location ?? null) : null
    this.type = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    this.retryAfterMs = parseRetryAfter(answer.headers['retry-after'], answer.headers.date)
  }

  get body(): string {
    return this.bytes.toString('utf8')
  }
}

/** Parses the header: seconds, or a time by the target server's clock. */
function parseRetryAfter(header: string | undefined, date: string | undefined): number | null {
  if (!header) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const ms = Date.parse(header) - Date.parse(date ?? '')
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** Thrown internally to count a bad response as a failure of the target; the caller still gets the response. */
class BadReplyError extends Error {
  readonly reply: OutgoingReply
  constructor(outgoingReply: OutgoingReply) {
    super(`answers ${outgoingReply.status}`)
    this.reply = outgoingReply
  }
}

/** The address may not be called, so a retry would not help. */
export class ForbiddenAddressError extends Error {}
/** The URL has no TLS: anyone on the network path could read customers' messages and our keys. */
export class InsecureAddressError extends ForbiddenAddressError {}

/** Default maximum bytes of a response. */
const defaultMaxReplyBytes = 64 * 1024

const privateNets = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateNets.addSubnet(net, bits, 'ipv4')
// Ranges that embed IPv4 addresses, documentation ranges, and private networks.
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  privateNets.addSubnet(net, bits, 'ipv6')
const publicIpv6Nets = new BlockList()
publicIpv6Nets.addSubnet('2000::', 3, 'ipv6')

/** In IPv6 only globally assigned addresses are public; in IPv4 all that are not reserved. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateNets.check(address, 'ipv4')
  return isIP(address) === 6 && publicIpv6Nets.check(address, 'ipv6') && !privateNets.check(address, 'ipv6')
}

/** A separate resolver: the system's lookup would occupy one of the few threads that also do file I/O and hashing. */
const defaultResolver = new Resolver({ timeout: 1500, tries: 2 })
/** A DNS resolver. */
type NameResolver = { [K in 'resolve4' | 'resolve6']: (name: string) => Promise<string[]> }

/** Whether the name cannot be in public DNS. */
const isLocalName = (name: string) => !name.includes('.') || /\.localhost\.?$/i.test(name)

async function resolveAddresses(
  names: NameResolver,
  name: string,
  allowPrivate: boolean,
): Promise<{ address: string; family: number }[]> {
  if (isLocalName(name))
    return allowPrivate ? lookup(name, { all: true }) : Promise.reject(new ForbiddenAddressError(`not public: ${name}`))
  const [four, six] = await Promise.all([names.resolve4(name).catch(() => []), names.resolve6(name).catch(() => [])])
  const found = [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))]
  // Names in the server's own network may be in a hosts file, which only the system's lookup reads.
  return found.length || !allowPrivate ? found : lookup(name, { all: true })
}

type OutgoingConfig = Pick<Config, 'privateTargets' | 'callTimeoutMs'>

export function makeOutgoingClient(
  { privateTargets, callTimeoutMs: callTimeout }: OutgoingConfig,
  clock: Clock = systemClock,
  names: NameResolver = defaultResolver,
) {
  const breaker = makeCircuitBreaker(clock)
  /** Resolves a name once, and the call goes to that address: a name that changes meanwhile has no effect. */
  async function resolveOnce(host: string): Promise<{ address: string; family: number }> {
    const bare = host.replace(/^\[|\]$/g, '')
    const found = isIP(bare)
      ? [{ address: bare, family: isIP(bare) }]
      : await resolveAddresses(names, bare, privateTargets)
    const [first] = found
    if (!first) throw new Error(`nobody is called ${host}`)
    if (!(privateTargets || found.every((one) => isPublicAddress(one.address))))
      throw new ForbiddenAddressError(`not public: ${host}`)
    return first
  }

  /** Makes a call. A forbidden address is returned, not thrown, because it is no failure of the target. */
  async function send(
    url: URL,
    options: RequestOptions,
    call: OutgoingCall,
  ): Promise<OutgoingReply | ForbiddenAddressError> {
    const to = await resolveOnce(url.hostname).catch((error) => {
      if (error instanceof ForbiddenAddressError) return error
      throw error
    })
    if (to instanceof ForbiddenAddressError) return to
    const pinnedLookup: LookupFunction = (_host, { all }, done) =>
      all ? done(null, [to]) : done(null, to.address, to.family)
    const outgoingReply = await sendRequest(url, { ...options, lookup: pinnedLookup }, call)
    if (call.isBad?.(outgoingReply)) throw new BadReplyError(outgoingReply)
    return outgoingReply
  }

  /** Calls without TLS are allowed only if the operator lets companies call private networks. */
  const isSecure = (address: string): boolean => privateTargets || URL.parse(address)?.protocol !== 'http:'

  return {
    isSecure,
    async call(address: string, call: OutgoingCall): Promise<OutgoingReply> {
      const { companyId, purpose = '', method = 'POST', headers = {}, timeoutMs = callTimeout } = call
      const url = new URL(address)
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new ForbiddenAddressError(`not a web address: ${url.protocol}`)
      if (!isSecure(address)) throw new InsecureAddressError(`not https: ${url.host}`)
      if (url.username || url.password) throw new ForbiddenAddressError('a password in an address')
      const timeoutSignal = AbortSignal.timeout(timeoutMs)
      const signal = call.signal ? AbortSignal.any([timeoutSignal, call.signal]) : timeoutSignal
      // Failures count per company, so that no company can pause another's calls, and per target, so that a target
      // that is down does not affect others.
      const caller = `company ${companyId} ${purpose}`
      const hostKey = `${url.host} for ${caller}`
      // All calls of a company pause when one target after another fails: it could use endless host names, each of
      // which could hang.
      const isNew = !breaker.isFailing(hostKey)
      const countsAsFailure = (key: string, error: unknown) =>
        !call.signal?.aborted && (key === hostKey || (isNew && !(error instanceof BadReplyError)))
      const work = () => send(url, { method, headers, signal, agent: false, ...call.identity }, call)
      const outgoingReply = await breaker.run([caller, hostKey], work, countsAsFailure, call.insists).catch((error) => {
        if (error instanceof BadReplyError) return error.reply
        throw error
      })
      if (outgoingReply instanceof ForbiddenAddressError) throw outgoingReply
      return outgoingReply
    },
  }
}

function sendRequest(url: URL, options: RequestOptions, call: OutgoingCall): Promise<OutgoingReply> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const { body, mostBytes = defaultMaxReplyBytes, onData } = call
  return new Promise((done, failed) => {
    const outgoingRequest = request(url, options, (answer) => {
      const parts: Buffer[] = []
      let size = 0
      let isTruncated = false
      const isGood = (answer.statusCode ?? 0) < 300
      const end = () => done(new OutgoingReply(answer, Buffer.concat(parts), isTruncated))
      answer.on('data', (part: Buffer) => {
        size += part.length
        if (size > mostBytes) {
          isTruncated = true
          return answer.destroy()
        }
        if (!onData || !isGood) return parts.push(part)
        try {
          onData(part)
        } catch (error) {
          answer.destroy()
          failed(error)
        }
      })
      answer.on('end', end)
      // The response was truncated above on purpose: the part that was read is the response.
      answer.on('close', end)
      answer.on('error', failed)
    })
    outgoingRequest.on('error', failed)
    outgoingRequest.end(body)
  })
}
