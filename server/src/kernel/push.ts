import type { Kysely } from 'kysely'
import type { Vault } from './crypto.ts'
import type { Log } from './log.ts'
import { Forbidden, type Outgoing } from './outgoing.ts'
import type { Signals } from './signals.ts'
import type { DB } from './tables.ts'

export type Subscription = { endpoint: string; p256dh: string; auth: string }
/** What a browser shows while no tab of ours is open. */
export type PushNote = { title: string; body: string; tag: string; url: string }

type Keys = { publicKey: string; privateKey: string }
type Parts = { platform: Kysely<DB>; vault: Vault; outgoing: Outgoing; signals: Signals; log: Log; subject: string }

/** A push that nobody could take for so long is old news. */
const lifeSeconds = 4 * 60 * 60
/** A word may get lost on its way: this often we look ourselves. */
const lookMs = 60_000

export type Push = Awaited<ReturnType<typeof openPush>>

/** Web push: the platform's own keys, and the way to the browsers' push services. */
export async function openPush({ platform, vault, outgoing, signals, log, subject }: Parts) {
  const keys = await keptKeys(platform, vault)
  let companies = new Set<number>()
  const look = async () => {
    const rows = await platform.selectFrom('pushSubscriptions').select('companyId').distinct().execute()
    companies = new Set(rows.map((r) => r.companyId))
  }
  const again = () => void look().catch((err) => log.warn({ err }, 'subscriptions cannot be read'))
  await look()
  signals.on('push', again)
  const looks = setInterval(again, lookMs).unref()

  return {
    publicKey: keys.publicKey,
    /** Asked for every message that comes in: nothing may be cheaper. */
    wantedIn: (companyId: number): boolean => companies.has(companyId),
    /** `gone`: nobody lives at that address any more. What may pass is thrown, to be tried again. */
    async send(to: Subscription, note: PushNote): Promise<'sent' | 'gone'> {
      // Loaded with the first push: most servers send none.
      const { default: webPush } = await import('web-push')
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
        JSON.stringify(note),
        { vapidDetails: { subject, ...keys }, TTL: lifeSeconds, urgency: 'high', topic: note.tag },
      )
      const answer = await outgoing.call(to.endpoint, { headers, body }).catch((error) => {
        if (error instanceof Forbidden) return { status: 410 }
        throw error
      })
      if (answer.status < 300) return 'sent'
      if (answer.status === 429 || answer.status >= 500) throw new Error(`the push service answers ${answer.status}`)
      return 'gone'
    },
    close: () => clearInterval(looks),
  }
}

/** For a process without browsers: a line alone. */
export const noPush: Push = { publicKey: '', wantedIn: () => false, send: async () => 'gone', close: () => {} }

/** Made on the first run. With other keys every browser would have to subscribe again. */
async function keptKeys(platform: Kysely<DB>, vault: Vault): Promise<Keys> {
  const kept = () =>
    platform.selectFrom('platformSecrets').select('sealed').where('name', '=', 'vapid').executeTakeFirst()
  const known = await kept()
  if (known) return JSON.parse(vault.open(known.sealed))
  const { default: webPush } = await import('web-push')
  await platform
    .insertInto('platformSecrets')
    .values({ name: 'vapid', sealed: vault.seal(JSON.stringify(webPush.generateVAPIDKeys())) })
    .onConflict((c) => c.doNothing())
    .execute()
  // Another process may have been first.
  return JSON.parse(vault.open((await kept())?.sealed ?? ''))
}
