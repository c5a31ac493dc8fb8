import { sql } from 'kysely'
import { dropSubscriptions } from '../../accounts/push.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import { callingOut, type JobHandlers, laneOf } from '../../kernel/jobs.ts'
import type { PushNote } from '../../kernel/outgoing/push.ts'
import { momentOf } from '../moment.ts'
import { type Bearer, bearers, pauseBefore, pushAttempts, shortened } from '../ringing.ts'
import { deskTexts } from '../texts.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    /** Somebody of the team wrote: who is to be told outside of any tab? */
    'chat:ring': { companyId: number; chatId: number }
    'chat:push': { companyId: number; chatId: number; subscriptionId: number }
  }
}

/** Something was said in a chat. Costs nothing where nobody of the company subscribed. */
export async function ringChat(scope: Scope, chatId: number): Promise<void> {
  const { companyId } = scope
  if (!scope.means.push.wantedIn(companyId)) return
  const wait = pauseBefore(scope.means, `chat ${chatId}`, scope.now().getTime())
  if (wait === null) return
  const runAt = wait ? { runAt: new Date(Date.now() + wait) } : {}
  await scope.job('chat:ring', { companyId, chatId }, { key: `chat:${chatId}`, ...runAt })
}

type Waiting = {
  userId: number
  uuid: string
  title: string
  isDirect: boolean
  sender: string
  text: string
  kind: string | null
}

/**
 * Who of a chat has not read what was said last, and hears of it: not who muted it, unless they are called by name; and
 * with the words, which leave the house for people of the chat alone.
 */
async function waiting(scope: Scope, chatId: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select m."userId", c.uuid, c.title, c.pair is not null as "isDirect", l."senderName" as sender,
      case when l.message = '' then coalesce(l."mediaName", '') else l.message end as text, l."mediaType" as kind
    from chats c
    join "chatMessages" l on l."companyId" = c."companyId" and l.id = c."lastId" and not l."isDeleted"
    join "chatUsers" m on m."companyId" = c."companyId" and m."chatId" = c.id and m.unreads > 0 and (not m.muted or m.mentions > 0)
    where c."companyId" = ${scope.companyId} and c.id = ${chatId}`.execute(scope.db)
  return rows
}

export const chatRingingJobs = (means: Means): Pick<JobHandlers, 'chat:ring' | 'chat:push'> => ({
  async 'chat:ring'({ companyId, chatId }) {
    const scope = new Scope(means, { companyId })
    const people = new Set((await waiting(scope, chatId)).map((one) => one.userId))
    if (!people.size) return
    for (const { id, viewer } of await bearers(scope)) {
      if (!people.has(viewer.id) || (await means.live.isPresent(viewer.id))) continue
      await scope.job(
        'chat:push',
        { companyId, chatId, subscriptionId: id },
        { key: `chat:${chatId}:${id}`, attempts: pushAttempts, queue: laneOf(companyId, id) },
      )
    }
  },
  'chat:push': callingOut(async ({ companyId, chatId, subscriptionId }) => {
    const scope = new Scope(means, { companyId })
    const [bearer] = await bearers(scope, { subscriptionId })
    // Read, taken out or logged out by now.
    const one = bearer && (await waiting(scope, chatId)).find((w) => w.userId === bearer.viewer.id)
    if (!bearer || !one) return
    const note = await noteFor(scope, chatId, one, bearer)
    if ((await means.push.send(companyId, bearer, note)) === 'gone') await dropSubscriptions(scope, { id: bearer.id })
  }),
})

async function noteFor(scope: Scope, chatId: number, one: Waiting, bearer: Bearer): Promise<PushNote> {
  const words = deskTexts[bearer.language ?? (await momentOf(scope)).language]
  const kinds: Record<string, string | undefined> = words.kinds
  const said = [one.kind && kinds[one.kind], one.text].filter(Boolean).join(': ')
  return {
    title: one.isDirect ? one.sender : one.title,
    body: shortened(one.isDirect ? said : `${one.sender}: ${said}`),
    tag: `chat-${chatId}`,
    url: `/chats/${one.uuid}`,
  }
}
