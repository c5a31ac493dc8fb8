import { lookup as resolve } from 'node:dns/promises'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * The only way out to an address that somebody else chose: a browser's push service, a company's webhook. It reaches
 * public addresses alone, whatever a name resolves to, and never goes on to where an answer points.
 */
export type Outgoing = ReturnType<typeof makeOutgoing>
export type Sent = { status: number; body: string }
type Call = { method?: string; headers?: Record<string, string | number>; body?: Buffer | string; timeoutMs?: number }

/** Not an address we call: trying again changes nothing. */
export class Forbidden extends Error {}

const usualTimeout = 10_000
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

export function makeOutgoing({ privateTargets }: { privateTargets: boolean }) {
  /** Looked up once, and that is where the call goes: a name that changes its mind in between gains nothing. */
  async function pinned(host: string): Promise<{ address: string; family: number }> {
    const bare = host.replace(/^\[|\]$/g, '')
    const found = isIP(bare) ? [{ address: bare, family: isIP(bare) }] : await resolve(bare, { all: true })
    const [first] = found
    if (!first || !(privateTargets || found.every((one) => isPublic(one.address))))
      throw new Forbidden(`not public: ${host}`)
    return first
  }

  return {
    async call(
      address: string,
      { method = 'POST', headers = {}, body, timeoutMs = usualTimeout }: Call,
    ): Promise<Sent> {
      const url = new URL(address)
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new Forbidden(`not a web address: ${url.protocol}`)
      if (url.username || url.password) throw new Forbidden('a password in an address')
      const to = await pinned(url.hostname)
      const there: LookupFunction = (_host, { all }, done) =>
        all ? done(null, [to]) : done(null, to.address, to.family)
      return exchange(
        url,
        { method, headers, lookup: there, signal: AbortSignal.timeout(timeoutMs), agent: false },
        body,
      )
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
