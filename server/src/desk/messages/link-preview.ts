import type { LinkPreview } from '@recado/contract/messages'
import { findFirstLink } from '@recado/contract/text/first-link'
import { minutes, seconds } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { OutgoingClient, OutgoingReply } from '../../kernel/outgoing/outgoing-client.ts'
import { loadCompanyContext } from '../company-context.ts'
import { currentViewer, isMentionedIn } from '../tickets/base/visibility.ts'
import { assertMessageVisible } from './fetch-file.ts'
import { parsePagePreview } from './parse-page-preview.ts'

/** Enough for the head of a page; the rest is not read. */
const maxPageBytes = 256 * 1024
const fetchTimeoutMs = seconds(5)
const maxRedirects = 3
const cacheMs = minutes(60)
const maxCachedPreviews = 1000

type CachedPreview = { until: number; preview: Promise<LinkPreview | null> }
/** By server, company and link. A link in many messages is fetched once. */
const caches = new WeakMap<OutgoingClient, Map<string, CachedPreview>>()

function cacheOf(client: OutgoingClient): Map<string, CachedPreview> {
  const cache = caches.get(client) ?? new Map<string, CachedPreview>()
  caches.set(client, cache)
  return cache
}

/** The title of the page behind the first link of a message; null if there is none or the company does not want it. */
export async function loadLinkPreview(scope: Scope, id: string): Promise<LinkPreview | null> {
  const link = await scope.transaction((tx) => findLinkOfMessage(tx, Number(id)))
  if (!link) return null
  const key = `${scope.companyId} ${link}`
  const now = scope.now().getTime()
  const cachedPreviews = cacheOf(scope.deps.outgoing)
  const cached = cachedPreviews.get(key)
  if (cached && cached.until > now) return cached.preview
  // A page that cannot be read has no preview. The sender of the link chose its address, so this is no error of ours.
  const preview = fetchPreview(scope, link).catch(() => null)
  cachedPreviews.delete(key)
  cachedPreviews.set(key, { until: now + cacheMs, preview })
  const oldest = cachedPreviews.keys().next().value
  if (cachedPreviews.size > maxCachedPreviews && oldest !== undefined) cachedPreviews.delete(oldest)
  return preview
}

async function findLinkOfMessage(scope: Scope, id: number): Promise<string | null> {
  const row = await scope.db
    .selectFrom('messages')
    .select(['id', 'ticketId', 'contactId', 'whatsappId', 'body', 'isDeleted'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || row.isDeleted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  if (!(await isReaderByMention(scope, row.ticketId))) await assertMessageVisible(scope, row)
  const { setting } = await loadCompanyContext(scope)
  return setting('linkPreviews') === 'enabled' ? findFirstLink(row.body) : null
}

/** A user mentioned in a note of the ticket reads the same thread as its agent. */
async function isReaderByMention(scope: Scope, ticketId: number | null): Promise<boolean> {
  const viewer = currentViewer(scope)
  return viewer !== null && ticketId !== null && isMentionedIn(scope, viewer.id, ticketId)
}

async function fetchPreview(scope: Scope, link: string): Promise<LinkPreview | null> {
  const signal = AbortSignal.timeout(fetchTimeoutMs)
  let url = new URL(link)
  for (let hops = 0; hops <= maxRedirects; hops++) {
    if (!scope.deps.outgoing.isSecure(url.href)) url.protocol = 'https:'
    const reply = await fetchPage(scope, url, signal)
    if (reply.location === null) return toPreview(url, reply)
    // Every redirect is checked again: a public page may redirect to a private address.
    url = new URL(reply.location, url)
  }
  return null
}

const fetchPage = (scope: Scope, url: URL, signal: AbortSignal): Promise<OutgoingReply> =>
  scope.deps.outgoing.call(url.href, {
    companyId: scope.companyId,
    purpose: 'link-preview',
    method: 'GET',
    headers: { accept: 'text/html', 'user-agent': 'Recado link preview' },
    timeoutMs: fetchTimeoutMs,
    signal,
    mostBytes: maxPageBytes,
  })

function toPreview(url: URL, { status, type, bytes }: OutgoingReply): LinkPreview | null {
  if (status !== 200 || (type !== 'text/html' && type !== 'application/xhtml+xml')) return null
  const { title, description } = parsePagePreview(bytes)
  return title ? { title, description, host: url.host.replace(/^www\./, '') } : null
}
