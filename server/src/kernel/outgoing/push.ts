import type { Kysely } from 'kysely'
import type { Vault } from '../crypto.ts'
import type { DB } from '../data/tables.ts'
import type { Log } from '../log.ts'
import { ForbiddenAddressError, type OutgoingClient } from './outgoing-client.ts'

export type PushTarget = { endpoint: string; p256dh: string; auth: string }
/**
 * A notification that a browser shows while no tab of the app is open. `unlessFocused`: also while some are open, but
 * none has the focus.
 */
export type PushNotification = { title: string; body: string; tag: string; url: string; unlessFocused?: true }

type VapidKeys = { publicKey: string; privateKey: string }
/** The stored push subscriptions, provided by the layer that stores users. */
export type PushSubscriptionSource = {
  companies(): Promise<number[]>
  /** Deletes all subscriptions, because they are invalid with new keys. */
  dropAll(): Promise<void>
  onChange(loadCompanies: () => void): void
}
type PushSenderDeps = {
  platform: Kysely<DB>
  vault: Vault
  outgoing: OutgoingClient
  subscriptions: PushSubscriptionSource
  log: Log
  subject: string
}

/** A push that could not be delivered within this time is outdated and is dropped. */
const pushTtlSeconds = 4 * 60 * 60
/** A signal may be lost, so subscriptions are also read this often. */
const pollMs = 60_000

export type PushSender = Awaited<ReturnType<typeof openPushSender>>

/** Web push: the platform's own keys, and the calls to the browsers' push services. */
export async function openPushSender({ platform, vault, outgoing, subscriptions, log, subject }: PushSenderDeps) {
  const keys = await loadOrCreateKeys(platform, vault, subscriptions, log)
  let companies = new Set<number>()
  const loadCompanies = async () => {
    companies = new Set(await subscriptions.companies())
  }
  const reload = () => void loadCompanies().catch((err) => log.warn({ err }, 'subscriptions cannot be read'))
  await loadCompanies()
  subscriptions.onChange(reload)
  const timer = setInterval(reload, pollMs).unref()

  return {
    publicKey: keys.publicKey,
    /**
     * Whether anybody in the company has a subscription. It is called for every incoming message, so it must be cheap.
     */
    hasSubscribers: (companyId: number): boolean => companies.has(companyId),
    /** `gone`: the subscription no longer exists. Transient errors are thrown, to be retried. */
    async send(companyId: number, to: PushTarget, note: PushNotification): Promise<'sent' | 'gone'> {
      // The library is loaded with the first push: most servers send none.
      const { default: webPush } = await import('web-push')
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
        JSON.stringify(note),
        { vapidDetails: { subject, ...keys }, TTL: pushTtlSeconds, urgency: 'high', topic: note.tag },
      )
      const answer = await outgoing.call(to.endpoint, { companyId, headers, body }).catch((error) => {
        if (error instanceof ForbiddenAddressError) return { status: 410 }
        throw error
      })
      if (answer.status < 300) return 'sent'
      if (answer.status === 429 || answer.status >= 500) throw new Error(`the push service answers ${answer.status}`)
      return 'gone'
    },
    close: () => clearInterval(timer),
  }
}

/** A push sender that does nothing, for a process without browsers, such as a line process. */
export const noPushSender: PushSender = {
  publicKey: '',
  hasSubscribers: () => false,
  send: async () => 'gone',
  close: () => {},
}

/** Keys are created on the first run. If they change, every browser has to subscribe again. */
async function loadOrCreateKeys(
  platform: Kysely<DB>,
  vault: Vault,
  subscriptions: PushSubscriptionSource,
  log: Log,
): Promise<VapidKeys> {
  const stored = await readKeys(platform, vault)
  if (stored && stored !== 'unreadable') return stored
  if (stored) log.warn('the keys for web push were sealed with another APP_SECRET: new ones are made')
  const { default: webPush } = await import('web-push')
  const sealed = vault.seal(JSON.stringify(webPush.generateVAPIDKeys()))
  const secrets = platform.insertInto('platformSecrets').values({ name: 'vapid', sealed })
  await secrets.onConflict((c) => (stored ? c.column('name').doUpdateSet({ sealed }) : c.doNothing())).execute()
  if (stored) await subscriptions.dropAll()
  // Another process may have created the keys first.
  return (await readKeys(platform, vault)) as VapidKeys
}

async function readKeys(platform: Kysely<DB>, vault: Vault): Promise<VapidKeys | 'unreadable' | undefined> {
  const row = await platform
    .selectFrom('platformSecrets')
    .select('sealed')
    .where('name', '=', 'vapid')
    .executeTakeFirst()
  try {
    return row && JSON.parse(vault.unseal(row.sealed))
  } catch {
    return 'unreadable'
  }
}
