import type { CloudFailure } from '@recado/contract/cloud'

/** An error as the Graph API returns it, in a response or in a status. */
export type GraphFault = {
  code: number
  subcode?: number | undefined
  title: string
  details: string
}

/** Our failure names for Meta's error codes. Other codes are `meta-error`, with the code beside it. */
const failureByCode: Record<number, CloudFailure> = {
  0: 'token-expired',
  1: 'meta-down',
  2: 'meta-down',
  3: 'no-permission',
  4: 'rate-limited',
  10: 'no-permission',
  17: 'rate-limited',
  32: 'rate-limited',
  33: 'bad-parameter',
  100: 'bad-parameter',
  102: 'token-expired',
  190: 'token-expired',
  368: 'account-locked',
  470: 'window-closed',
  613: 'rate-limited',
  80007: 'rate-limited',
  80008: 'rate-limited',
  130403: 'account-locked',
  130429: 'rate-limited',
  130472: 'experiment',
  130497: 'country-restricted',
  131000: 'meta-down',
  131005: 'no-permission',
  131008: 'bad-parameter',
  131009: 'bad-parameter',
  131016: 'meta-down',
  131021: 'same-number',
  131026: 'undeliverable',
  131030: 'not-allowed-yet',
  131031: 'account-locked',
  131037: 'not-registered',
  131042: 'payment',
  131044: 'payment',
  131045: 'not-registered',
  131047: 'window-closed',
  131048: 'spam-limited',
  131049: 'held-back',
  131050: 'opted-out',
  131051: 'unsupported',
  131052: 'media-missing',
  131053: 'media-refused',
  131055: 'unsupported',
  131056: 'rate-limited',
  131057: 'meta-down',
  131060: 'unsupported',
  131062: 'needs-number',
  132000: 'template-variables',
  132001: 'template-missing',
  132005: 'template-too-long',
  132007: 'template-policy',
  132012: 'template-variables',
  132015: 'template-paused',
  132016: 'template-disabled',
  132018: 'template-variables',
  132068: 'template-disabled',
  132069: 'template-disabled',
  133000: 'not-registered',
  133004: 'meta-down',
  133005: 'not-registered',
  133006: 'not-registered',
  133008: 'not-registered',
  133009: 'not-registered',
  133010: 'not-registered',
  133015: 'not-registered',
  133016: 'rate-limited',
  134011: 'payment',
  134100: 'unsupported',
  134101: 'template-not-ready',
  134102: 'template-disabled',
  135000: 'bad-parameter',
  368000: 'account-locked',
  1752041: 'bad-parameter',
  2388019: 'template-limit',
  2388040: 'template-too-long',
  2388047: 'template-policy',
  2388072: 'template-policy',
  2388073: 'template-policy',
  2388293: 'template-variables',
  2388299: 'template-variables',
  2494100: 'meta-down',
  2593107: 'rate-limited',
  2593108: 'unsupported',
}

/** Codes that Meta publishes as ranges: permissions, groups, calls, and blocking of people. */
const failureByRange: [from: number, until: number, CloudFailure][] = [
  [200, 299, 'no-permission'],
  [131200, 131299, 'group-refused'],
  [138000, 138099, 'call-refused'],
  [139000, 139199, 'unsupported'],
  [200005, 200007, 'unsupported'],
]

export const toCloudFailure = (code: number): CloudFailure =>
  failureByCode[code] ?? failureByRange.find(([from, until]) => code >= from && code <= until)?.[2] ?? 'meta-error'

/** The failure name followed by Meta's code, as stored with a message. */
export const formatFailureReason = (fault: GraphFault): string => `${toCloudFailure(fault.code)}:${fault.code}`

/** Limits of the whole account or number: every message has to wait. */
const lineLimitCodes = new Set([4, 80007, 80008, 130429])
/** The rate limit of one customer: messages to others need not wait. */
const chatLimitCode = 131056

export const rateLimitScope = (code: number): 'line' | 'chat' | null =>
  code === chatLimitCode ? 'chat' : lineLimitCodes.has(code) ? 'line' : null

/** Codes that mean the account does not work: the line reports it, and the message is not marked as failed. */
export const findLineTrouble = (code: number): 'token-expired' | 'account-locked' | null => {
  const failure = toCloudFailure(code)
  return failure === 'token-expired' || failure === 'account-locked' ? failure : null
}

/** Meta's own failures are transient: refusals with these codes may be retried. */
export const isTransientFault = (code: number): boolean => toCloudFailure(code) === 'meta-down'

export function findGraphFault(reply: unknown): GraphFault | null {
  if (typeof reply !== 'object' || reply === null || !('error' in reply)) return null
  return parseGraphFault(reply.error)
}

/** Parses an error from a response or a status: both have nearly the same format. */
export function parseGraphFault(error: unknown): GraphFault | null {
  if (typeof error !== 'object' || error === null) return null
  const { code, error_subcode, message, title, error_data } = error as Record<string, unknown>
  if (typeof code !== 'number') return null
  const data = (typeof error_data === 'object' && error_data !== null ? error_data : {}) as Record<string, unknown>
  return {
    code,
    subcode: typeof error_subcode === 'number' ? error_subcode : undefined,
    title: String(title ?? message ?? ''),
    details: String(data.details ?? message ?? ''),
  }
}
