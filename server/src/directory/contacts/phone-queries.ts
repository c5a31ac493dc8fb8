import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { LiveUpdates } from '../../kernel/live/live-updates.ts'
import type { ChatId, Line, LineGroupMember } from '../../lines/line.ts'

/** Queries to lines about people: the company's default line, or a named one. */
export type PhoneQueries = {
  /** The number as the provider writes it, null when it is not on WhatsApp, undefined when no line can tell. */
  checkNumber(scope: Scope, number: string, whatsappId?: number): Promise<string | null | undefined>
  /** The address book of the phone. */
  loadPhoneBook(scope: Scope): Promise<{ number: string; name: string }[]>
  /** The members of a group of that line. */
  loadGroupMembers(scope: Scope, whatsappId: number, group: ChatId): Promise<LineGroupMember[]>
}

/** Timeout, so that a silent provider does not block a form for ever. */
const providerTimeoutMs = 10_000
/** Timeout of queries to other processes. */
const peerTimeoutMs = 5000

type PhoneBookEntries = { number: string; name: string }[]
/** The answer of the process that runs the line; `failed`: the line failed there. */
type PeerAnswer<A> = { answer: A } | { failed: true }
type FindRunningLine = (whatsappId: number) => Line | undefined

/** A line runs in one process, and the request may be in another: that process is asked. */
export function makePhoneQueries(running: FindRunningLine, live?: LiveUpdates): PhoneQueries {
  async function ask<A>(
    name: string,
    about: { whatsappId: number; number?: string; group?: ChatId },
  ): Promise<{ answer: A } | undefined> {
    const [told] = (await live?.queryPeers<PeerAnswer<A>>(name, about, peerTimeoutMs)) ?? []
    if (told && 'failed' in told) throw new AppError('ERR_WAPP_CHECK_CONTACT')
    return told
  }
  live?.onPeerQuery('line:check', (about) => {
    const { whatsappId, number } = about as { whatsappId: number; number: string }
    return answerPeer(running(whatsappId), (line) => line.checkNumber(number))
  })
  live?.onPeerQuery('line:book', (about) => {
    const line = running((about as { whatsappId: number }).whatsappId)
    return answerPeer(line?.unsupported.includes('contacts') ? undefined : line, (one) => one.contacts())
  })
  live?.onPeerQuery('line:members', (about) => {
    const { whatsappId, group } = about as { whatsappId: number; group: ChatId }
    return answerPeer(running(whatsappId), (line) => line.members(group))
  })
  return {
    async checkNumber(scope, number, whatsappId) {
      const row = await findLineStatus(scope, whatsappId)
      if (row?.status !== 'CONNECTED') return undefined
      const line = running(row.id)
      if (line) return withTimeout(() => line.checkNumber(number))
      return (await ask<string | null>('line:check', { whatsappId: row.id, number }))?.answer
    },
    async loadPhoneBook(scope) {
      const row = await findLineStatus(scope)
      if (!row) throw new AppError('ERR_NO_DEF_WAPP_FOUND')
      const line = row.status === 'CONNECTED' ? running(row.id) : undefined
      if (line && !line.unsupported.includes('contacts')) return withTimeout(() => line.contacts())
      const told =
        line || row.status !== 'CONNECTED'
          ? undefined
          : await ask<PhoneBookEntries>('line:book', { whatsappId: row.id })
      if (!told) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
      return told.answer
    },
    async loadGroupMembers(scope, whatsappId, group) {
      const line = running(whatsappId)
      if (line && (await isConnected(scope, whatsappId))) return withTimeout(() => line.members(group))
      const told = line ? undefined : await ask<LineGroupMember[]>('line:members', { whatsappId, group })
      if (!told) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
      return told.answer
    },
  }
}

export const noPhoneQueries: PhoneQueries = makePhoneQueries(() => undefined)

/** Null in every process that does not run the line: such answers are skipped. */
function answerPeer<A>(line: Line | undefined, ask: (line: Line) => Promise<A>): Promise<PeerAnswer<A>> | null {
  if (!line) return null
  return withTimeout(() => ask(line)).then(
    (answer) => ({ answer }),
    () => ({ failed: true as const }),
  )
}

/** The named line, else the company's default. */
const findLineStatus = (scope: Scope, whatsappId?: number) =>
  scope.db
    .selectFrom('whatsapps')
    .select(['id', 'status'])
    .where('companyId', '=', scope.companyId)
    .where((eb) => (whatsappId === undefined ? eb('isDefault', '=', true) : eb('id', '=', whatsappId)))
    .executeTakeFirst()

const isConnected = async (scope: Scope, whatsappId: number): Promise<boolean> =>
  (await findLineStatus(scope, whatsappId))?.status === 'CONNECTED'

async function withTimeout<T>(ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('ERR_WAPP_CHECK_CONTACT')), providerTimeoutMs)
  })
  try {
    return await Promise.race([ask(), late])
  } catch (cause) {
    throw Object.assign(new AppError('ERR_WAPP_CHECK_CONTACT'), { cause })
  } finally {
    clearTimeout(timer)
  }
}
