import type { FastifyRequest } from 'fastify'
import type { Device } from './session-limit.ts'

const browsers: [string, RegExp][] = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS/],
  ['Safari', /Safari/],
]
const systems: [string, RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS/],
  ['Linux', /Linux/],
]
const firstMatch = (of: [string, RegExp][], text: string) => of.find(([, like]) => like.test(text))?.[0]

/** Describes browser, system and address in a form that the user recognizes. */
export function describeClient(request: FastifyRequest): string {
  const agent = request.headers['user-agent'] ?? ''
  return [firstMatch(browsers, agent), firstMatch(systems, agent), request.ip].filter(Boolean).join(', ')
}

/**
 * The kind of device. Tablets count as phones if they call themselves mobile. A client that sends neither header counts
 * as a computer.
 */
export const deviceOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Device =>
  headers['sec-ch-ua-mobile'] === '?1' || /Mobi|Android|iPhone|iPad|iPod/i.test(headers['user-agent'] ?? '')
    ? 'phone'
    : 'computer'
