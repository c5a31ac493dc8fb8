import { sql } from 'kysely'
import { deletePushSubscriptions } from '../../accounts/push-subscriptions.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { asExternalCallJob, type JobHandlers, outboundLaneName } from '../../kernel/jobs.ts'
import type { PushNotification } from '../../kernel/outgoing/push.ts'
import { loadCompanyContext } from '../company-context.ts'
import { loadPushSubscribers, maxPushAttempts, type PushSubscriber, pushDelayMs, shortenPushText } from '../push.ts'
import { deskTexts } from '../texts.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    /** A message in a team chat: find the members to notify by push. */
    'chat:ring': { companyId: number; chatId: number }
    'chat:push': { companyId: number; chatId: number; subscriptionId: number }
  }
}

/** Queues push notifications for a chat message. Does nothing if nobody in the company has a subscription. */
export async function requestChatPush(scope: Scope, chatId: number): Promise<void> {
  const { companyId } = scope
  if (!scope.deps.push.hasSubscribers(companyId)) return
  const wait = pushDelayMs(scope.deps, `chat ${chatId}`, scope.now().getTime())
  if (wait === null) return
  const runAt = wait ? { runAt: new Date(Date.now() + wait) } : {}
  await scope.enqueueJob('chat:ring', { companyId, chatId }, { key: `chat:${chatId}`, ...runAt })
}

type UnreadMember = {
  userId: number
  uuid: string
  title: string
  isDirect: boolean
  sender: string
  text: string
  kind: string | null
}

/**
 * Members of a chat who have not read the last message and get a push. Members who muted the chat get one only if
 * mentioned. The push contains the text, so it goes to members of the chat only.
 */
async function loadUnreadMembers(scope: Scope, chatId: number): Promise<UnreadMember[]> {
  const { rows } = await sql<UnreadMember>`
    select m."userId", c.uuid, c.title, c.pair is not null as "isDirect", l."senderName" as sender,
      case when l.message = '' then coalesce(l."mediaName", '') else l.message end as text, l."mediaType" as kind
    from chats c
    join "chatMessages" l on l."companyId" = c."companyId" and l.id = c."lastId" and not l."isDeleted"
    join "chatUsers" m on m."companyId" = c."companyId" and m."chatId" = c.id and m.unreads > 0 and (not m.muted or m.mentions > 0)
    where c."companyId" = ${scope.companyId} and c.id = ${chatId}`.execute(scope.db)
  return rows
}

export const chatPushJobs = (deps: Deps): Pick<JobHandlers, 'chat:ring' | 'chat:push'> => ({
  async 'chat:ring'({ companyId, chatId }) {
    const scope = new Scope(deps, { companyId })
    const people = new Set((await loadUnreadMembers(scope, chatId)).map((one) => one.userId))
    if (!people.size) return
    for (const { id, viewer } of await loadPushSubscribers(scope)) {
      if (!people.has(viewer.id) || (await deps.live.isPresent(viewer.id))) continue
      await scope.enqueueJob(
        'chat:push',
        { companyId, chatId, subscriptionId: id },
        { key: `chat:${chatId}:${id}`, attempts: maxPushAttempts, queue: outboundLaneName(companyId, id) },
      )
    }
  },
  'chat:push': asExternalCallJob(async ({ companyId, chatId, subscriptionId }) => {
    const scope = new Scope(deps, { companyId })
    const [bearer] = await loadPushSubscribers(scope, { subscriptionId })
    // Meanwhile the member has read the message, or was removed, or logged out.
    const one = bearer && (await loadUnreadMembers(scope, chatId)).find((w) => w.userId === bearer.viewer.id)
    if (!bearer || !one) return
    const note = await buildPushNote(scope, chatId, one, bearer)
    if ((await deps.push.send(companyId, bearer, note)) === 'gone')
      await deletePushSubscriptions(scope, { id: bearer.id })
  }),
})

async function buildPushNote(
  scope: Scope,
  chatId: number,
  one: UnreadMember,
  bearer: PushSubscriber,
): Promise<PushNotification> {
  const words = deskTexts[bearer.language ?? (await loadCompanyContext(scope)).language]
  const kinds: Record<string, string | undefined> = words.kinds
  const said = [one.kind && kinds[one.kind], one.text].filter(Boolean).join(': ')
  return {
    title: one.isDirect ? one.sender : one.title,
    body: shortenPushText(one.isDirect ? said : `${one.sender}: ${said}`),
    tag: `chat-${chatId}`,
    url: `/chats/${one.uuid}`,
  }
}
