import type { AdReferral } from './line.ts'

const maxChars = {
  sourceType: 20,
  sourceId: 100,
  title: 200,
  body: 1000,
  url: 500,
  picture: 1000,
  clickId: 500,
} as const

/** An address that may be shown as a link; anything else than http(s) is left out. */
const toWebAddress = (text: string): string => (/^https?:\/\//i.test(text) ? text : '')
/** PostgreSQL cannot store NUL. */
const cleanText = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 4000).replaceAll('\0', '').trim() : ''

/** A referral of untrusted values; undefined if it names no ad. An address that was cut would lead elsewhere. */
export function makeReferral(given: { [K in keyof AdReferral]?: unknown }): AdReferral | undefined {
  const text = (key: keyof AdReferral) => cleanText(given[key])
  const address = (key: 'url' | 'picture') => (text(key).length <= maxChars[key] ? toWebAddress(text(key)) : '')
  const cut = (key: keyof AdReferral) => text(key).slice(0, maxChars[key]).toWellFormed()
  const referral = {
    sourceType: cut('sourceType').toLowerCase(),
    sourceId: cut('sourceId'),
    title: cut('title') || cut('body').slice(0, maxChars.title).toWellFormed(),
    body: cut('body'),
    url: address('url'),
    picture: address('picture'),
    clickId: cut('clickId'),
  }
  return referral.sourceId || referral.title || referral.url ? referral : undefined
}
