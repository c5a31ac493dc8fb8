import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { LiveUpdates } from '../../kernel/live/live-updates.ts'
import type { ChatId, Line, LineGroupMember } from '../../lines/line.ts'

/** Queries to lines about people: the company's default line, or a named one. */
export type PhoneQueries = {
  /** The number as the provider writes it; null: not on WhatsApp; undefined: no line could check it. */
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
/** The answer of the process that runs the line; `failed`: the query failed on the line. */
type PeerAnswer<A> = { answer: A } | { failed: true }
type FindRunningLine = (whatsappId: number) => Line | undefined

/** A line runs in one process. If the request is in another process, it queries the line's process. */
export function makePhoneQueries(findRunningLine: FindRunningLine, live?: LiveUpdates): PhoneQueries {
  async function queryPeer<A>(
    name: string,
    about: { whatsappId: number; number?: string; group?: ChatId },
  ): Promise<{ answer: A } | undefined> {
    const [peerAnswer] = (await live?.queryPeers<PeerAnswer<A>>(name, about, peerTimeoutMs)) ?? []
    if (peerAnswer && 'failed' in peerAnswer) throw new AppError('ERR_WAPP_CHECK_CONTACT')
    return peerAnswer
  }
  live?.onPeerQuery('line:check', (about) => {
    const { whatsappId, number } = about as { whatsappId: number; number: string }
    return answerPeer(findRunningLine(whatsappId), (line) => line.checkNumber(number))
  })
  live?.onPeerQuery('line:book', (about) => {
    const line = findRunningLine((about as { whatsappId: number }).whatsappId)
    return answerPeer(line?.unsupported.includes('contacts') ? undefined : line, (one) => one.contacts())
  })
  live?.onPeerQuery('line:members', (about) => {
    const { whatsappId, group } = about as { whatsappId: number; group: ChatId }
    return answerPeer(findRunningLine(whatsappId), (line) => line.members(group))
  })
  return {
    async checkNumber(scope, number, whatsappId) {
      const row = await findLineStatus(scope, whatsappId)
      if (row?.status !== 'CONNECTED') return undefined
      const line = findRunningLine(row.id)
      if (line) return withTimeout(() => line.checkNumber(number))
      return (await queryPeer<string | null>('line:check', { whatsappId: row.id, number }))?.answer
    },
    async loadPhoneBook(scope) {
      const row = await findLineStatus(scope)
      if (!row) throw new AppError('ERR_NO_DEF_WAPP_FOUND')
      const line = row.status === 'CONNECTED' ? findRunningLine(row.id) : undefined
      if (line && !line.unsupported.includes('contacts')) return withTimeout(() => line.contacts())
      const peerAnswer =
        line || row.status !== 'CONNECTED'
          ? undefined
          : await queryPeer<PhoneBookEntries>('line:book', { whatsappId: row.id })
      if (!peerAnswer) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
      return peerAnswer.answer
    },
    async loadGroupMembers(scope, whatsappId, group) {
      const line = findRunningLine(whatsappId)
      if (line && (await isConnected(scope, whatsappId))) return withTimeout(() => line.members(group))
      const peerAnswer = line ? undefined : await queryPeer<LineGroupMember[]>('line:members', { whatsappId, group })
      if (!peerAnswer) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
      return peerAnswer.answer
    },
  }
}

export const noPhoneQueries: PhoneQueries = makePhoneQueries(() => undefined)

/**
 * Answers a query of another process. Every process that does not run the line answers null, which the caller skips.
 */
function answerPeer<A>(line: Line | undefined, queryPeer: (line: Line) => Promise<A>): Promise<PeerAnswer<A>> | null {
  if (!line) return null
  return withTimeout(() => queryPeer(line)).then(
    (answer) => ({ answer }),
    () => ({ failed: true as const }),
  )
}

/** The given line, else the company's default line. */
const findLineStatus = (scope: Scope, whatsappId?: number) =>
  scope.db
    .selectFrom('whatsapps')
    .select(['id', 'status'])
    .where('companyId', '=', scope.companyId)
    .where((eb) => (whatsappId === undefined ? eb('isDefault', '=', true) : eb('id', '=', whatsappId)))
    .executeTakeFirst()

const isConnected = async (scope: Scope, whatsappId: number): Promise<boolean> =>
  (await findLineStatus(scope, whatsappId))?.status === 'CONNECTED'

async function withTimeout<T>(queryPeer: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('ERR_WAPP_CHECK_CONTACT')), providerTimeoutMs)
  })
  try {
    return await Promise.race([queryPeer(), late])
  } catch (cause) {
    throw Object.assign(new AppError('ERR_WAPP_CHECK_CONTACT'), { cause })
  } finally {
    clearTimeout(timer)
  }
}
