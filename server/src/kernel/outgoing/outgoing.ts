import { lookup, Resolver } from 'node:dns/promises'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { makeBreaker } from './breaker.ts'

/**
 * The only way out to an address that somebody else chose: a browser's push service, a company's webhook. It reaches
 * public addresses alone, whatever a name resolves to, and never goes on to where an answer points.
 */
export type Outgoing = ReturnType<typeof makeOutgoing>
export type Sent = { status: number; body: string }
type Call = {
  /** The company in whose name it is. Where its calls keep coming to nothing, they rest for a while. */
  companyId: number
  method?: string
  headers?: Record<string, string | number>
  body?: Buffer | string
  timeoutMs?: number
}

/** Not an address we call: trying again changes nothing. */
export class Forbidden extends Error {}

/** As much of an answer as anybody reads. */
const mostBytes = 64 * 1024

const inner = new BlockList()
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
  inner.addSubnet(net, bits, 'ipv4')
// Ways around the table above (addresses within addresses), documentation, and nets of one's own.
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  inner.addSubnet(net, bits, 'ipv6')
const outer = new BlockList()
outer.addSubnet('2000::', 3, 'ipv6')

/** Of the sixth version only what is given out to the public is public; of the fourth all that is not kept for something. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !inner.check(address, 'ipv4')
  return isIP(address) === 6 && outer.check(address, 'ipv6') && !inner.check(address, 'ipv6')
}

/** Asks by itself: the system's own way would keep one of the few threads that also read files and hash passwords. */
const names = new Resolver({ timeout: 1500, tries: 2 })

/** One that nobody outside knows. */
const isOwnName = (name: string) => !name.includes('.') || /\.localhost\.?$/i.test(name)

async function addressesOf(name: string, inHouse: boolean): Promise<{ address: string; family: number }[]> {
  if (isOwnName(name))
    return inHouse ? lookup(name, { all: true }) : Promise.reject(new Forbidden(`not public: ${name}`))
  const [four, six] = await Promise.all([names.resolve4(name).catch(() => []), names.resolve6(name).catch(() => [])])
  const found = [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))]
  // Names of our own network may stand in a file that only the system knows.
  return found.length || !inHouse ? found : lookup(name, { all: true })
}

type Means = Pick<Config, 'privateTargets' | 'callTimeout'>

export function makeOutgoing({ privateTargets, callTimeout }: Means, clock: Clock = systemClock) {
  const breaker = makeBreaker(clock)
  /** Looked up once, and that is where the call goes: a name that changes its mind in between gains nothing. */
  async function pinned(host: string): Promise<{ address: string; family: number }> {
    const bare = host.replace(/^\[|\]$/g, '')
    const found = isIP(bare) ? [{ address: bare, family: isIP(bare) }] : await addressesOf(bare, privateTargets)
    const [first] = found
    if (!first) throw new Error(`nobody is called ${host}`)
    if (!(privateTargets || found.every((one) => isPublic(one.address)))) throw new Forbidden(`not public: ${host}`)
    return first
  }

  /** What may not be called is no failure of who would be. */
  async function send(url: URL, options: RequestOptions, body: Call['body']): Promise<Sent | Forbidden> {
    const to = await pinned(url.hostname).catch((error) => {
      if (error instanceof Forbidden) return error
      throw error
    })
    if (to instanceof Forbidden) return to
    const there: LookupFunction = (_host, { all }, done) => (all ? done(null, [to]) : done(null, to.address, to.family))
    return exchange(url, { ...options, lookup: there }, body)
  }

  return {
    async call(
      address: string,
      { companyId, method = 'POST', headers = {}, body, timeoutMs = callTimeout }: Call,
    ): Promise<Sent> {
      const url = new URL(address)
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new Forbidden(`not a web address: ${url.protocol}`)
      if (url.username || url.password) throw new Forbidden('a password in an address')
      // By company: nobody can make another's calls rest. By place: one that is down does not silence the others.
      const work = () => send(url, { method, headers, signal: AbortSignal.timeout(timeoutMs), agent: false }, body)
      const sent = await breaker.run([`company ${companyId}`, `${url.host} for company ${companyId}`], work)
      if (sent instanceof Forbidden) throw sent
      return sent
    },
  }
}

function exchange(url: URL, options: RequestOptions, body: Call['body']): Promise<Sent> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((done, failed) => {
    const asked = request(url, options, (answer) => {
      const parts: Buffer[] = []
      let size = 0
      const end = () => done({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') })
      answer.on('data', (part: Buffer) => {
        size += part.length
        if (size <= mostBytes) parts.push(part)
        else answer.destroy()
      })
      answer.on('end', end)
      // Cut off by us, above: what was read is the answer.
      answer.on('close', end)
      answer.on('error', failed)
    })
    asked.on('error', failed)
    asked.end(body)
  })
}
