import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { InboundEvent, LineRow, MessageContent } from '../server/src/lines/line.ts'
import { type BenchServer, openBenchServer } from './bench-server.ts'
import { measureCpuCost } from './cpu-cost.ts'
import { createBenchLine, measureRawInserts, waitForMessages } from './inbound.ts'

const lineCount = 4

/** A line with a menu: two queues, one of them with its own menu. */
async function createMenuLine(benchServer: BenchServer, n: number, queueIds: number[]): Promise<LineRow> {
  const line = await createBenchLine(benchServer, `menu ${n}`)
  const { db, companyId } = benchServer.scope
  await db
    .insertInto('whatsappQueues')
    .values(queueIds.map((queueId) => ({ companyId, whatsappId: line.id, queueId })))
    .execute()
  return line
}

async function createQueues(benchServer: BenchServer): Promise<number[]> {
  const { db, companyId } = benchServer.scope
  const rows = await db
    .insertInto('queues')
    .values([
      { companyId, name: 'Ventas', color: '#2f9e44', greetingMessage: '¿En qué te ayudamos?' },
      { companyId, name: 'Soporte', color: '#1971c2', greetingMessage: 'Soporte' },
    ])
    .returning('id')
    .execute()
  const [first] = rows as [{ id: number }]
  await db
    .insertInto('queueOptions')
    .values([
      { companyId, queueId: first.id, option: 1, title: 'Precios', message: 'Nuestros precios', parentId: null },
      { companyId, queueId: first.id, option: 2, title: 'Envíos', message: 'Nuestros envíos', parentId: null },
    ])
    .execute()
  return rows.map(({ id }) => id)
}

const text = (body: string): MessageContent => ({ kind: 'text', body })
const picture: MessageContent = { kind: 'media', mediaType: 'image', body: '', name: 'foto.jpg', key: {} }

/**
 * Incoming messages other than plain text: unknown numbers that get a menu (contact, identity, ticket, segment,
 * message, greeting), their answers, and files. All arrive at once, as after a campaign. The lines do not run, so
 * nothing is sent or downloaded.
 */
export async function benchArrivals(o: { people: number }): Promise<Record<string, unknown>> {
  const benchServer = await openBenchServer()
  const socketClient = fork(new URL('./socket-client.ts', import.meta.url), [
    benchServer.address,
    benchServer.admin.token,
    String(benchServer.companyId),
  ])
  try {
    await once(socketClient, 'message')
    const queueIds = await createQueues(benchServer)
    const lines: LineRow[] = []
    while (lines.length < lineCount) lines.push(await createMenuLine(benchServer, lines.length, queueIds))
    let sent = 0
    const event = (n: number, content: MessageContent): InboundEvent => {
      const phone = `55118${String(60_000_000 + n)}`
      const from = { person: { phone }, pushName: `Customer ${n}`, fromMe: false }
      const at = new Date().toISOString()
      return { kind: 'message', id: `arrival-${sent++}`, chat: `${phone}@s.whatsapp.net`, at, ...from, content }
    }
    /** `messagesEach`: the number of messages that each incoming message causes. */
    const flood = async (
      first: number,
      count: number,
      content: MessageContent,
      messagesEach: number,
    ): Promise<number> => {
      await resetSocketClient(socketClient)
      const startedAt = performance.now()
      let next = first
      const write = async () => {
        while (next < first + count) {
          const n = next++
          await benchServer.running.switchboard.inbox.receive(lines[n % lines.length] as LineRow, [event(n, content)])
        }
      }
      await Promise.all(Array.from({ length: 256 }, write))
      await waitForMessages(socketClient, count * messagesEach)
      return count / ((performance.now() - startedAt) / 1000)
    }
    const warmUpCount = Math.ceil(o.people / 10)
    await flood(1_000_000, warmUpCount, text('hola'), 2)
    await flood(1_000_000, warmUpCount, text('1'), 2)
    const raw = await measureRawInserts(benchServer, 4000, 8)
    const figures: Record<string, unknown> = { 'raw single-row transactions/s, on eight connections': Math.round(raw) }
    const measure = async (what: string, content: MessageContent, messagesEach: number) => {
      const { result, cost } = await measureCpuCost(benchServer, o.people, () =>
        flood(0, o.people, content, messagesEach),
      )
      figures[`${what}/s`] = `${Math.round(result)}, ${Math.round((result / raw) * 100)} % of raw`
      figures[`${what}, CPU ms each, house + database`] = cost
    }
    await measure('strangers asked by a menu', text('hola'), 2)
    await measure('turns in a menu', text('1'), 2)
    await measure('notices of files', picture, 2)
    return figures
  } finally {
    socketClient.send('stop')
    await benchServer.close()
  }
}

async function resetSocketClient(socketClient: ChildProcess): Promise<void> {
  socketClient.send('reset')
  await once(socketClient, 'message')
}
