import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type FakeGraph, signWebhookBody } from '../test/fake-graph.ts'
import type { ReceivedByCustomer, SentByCustomer } from './judge.ts'

type VendorAccount = ReturnType<FakeGraph['createAccount']>
type VendorMessage = Record<string, unknown> & { id: string; timestamp: string }

/** Meta's timeout for a response, and its delay before a retry. */
const answerTimeoutMs = 10_000
const redeliveryMs = 150

/**
 * Simulates the customers' phones and Meta: an event that was not answered with 200 is sent again until it is, in order
 * within each chat. The record kept here is compared with the server's data.
 */
export function openFakeVendor(graph: FakeGraph, account: VendorAccount, path: string, addresses: () => string[]) {
  const sent: SentByCustomer[] = []
  const waiting = new Map<string, VendorMessage[]>()
  const deliveries = new Set<Promise<void>>()
  const faults = { double: false, reorder: false }
  let turn = 0
  let calls = 0
  let reportedCount = 0
  let isClosed = false

  const wrap = (value: object) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: account.businessAccountId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '15550102030', phone_number_id: account.phoneNumberId },
              ...value,
            },
          },
        ],
      },
    ],
  })

  async function post(value: object, address: string): Promise<boolean> {
    const body = JSON.stringify(wrap(value))
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': signWebhookBody(account.appSecret, body),
    }
    const signal = AbortSignal.timeout(answerTimeoutMs)
    const answer = await fetch(address + path, { method: 'POST', headers, body, signal }).catch(() => null)
    await answer?.arrayBuffer().catch(() => null)
    return answer?.status === 200
  }
  /**
   * Sends an event again and again until a process accepts it: each time to the next process, or to all processes at
   * once while events are duplicated.
   */
  async function deliverEvent(value: object): Promise<void> {
    for (;;) {
      const all = addresses()
      const now = faults.double ? all : [all[calls++ % all.length] as string]
      const answers = await Promise.all(now.map((address) => post(value, address)))
      if (answers.includes(true)) return
      if (isClosed) throw new Error('the server never accepted the webhook from Meta')
      await pause(redeliveryMs)
    }
  }

  function deliver(chat: string): void {
    const work = (async () => {
      const queue = waiting.get(chat) as VendorMessage[]
      while (queue.length) {
        const at = faults.reorder && queue.length > 1 ? 1 : 0
        const [message] = queue.splice(at, 1) as [VendorMessage]
        await deliverEvent({
          contacts: [{ profile: { name: `Cliente ${chat.slice(-3)}` }, wa_id: chat }],
          messages: [message],
        })
        sent.push({ chat, id: message.id, second: Number(message.timestamp), turn: turn++ })
      }
      waiting.delete(chat)
    })()
    follow(work)
  }
  function follow(work: Promise<void>): void {
    deliveries.add(work)
    void work.catch(() => {}).finally(() => deliveries.delete(work))
  }

  /** Meta reports the delivery state of our messages. */
  async function reportStatuses(): Promise<void> {
    while (!isClosed) {
      for (; reportedCount < graph.acceptedSends.length; reportedCount++) {
        const one = graph.acceptedSends[reportedCount] as FakeGraph['acceptedSends'][number]
        const ticks = ['sent', 'delivered'].map((status) => ({
          ...{ id: one.wamid, status, timestamp: unixSeconds(), recipient_id: one.body.to },
          biz_opaque_callback_data: one.body.biz_opaque_callback_data,
        }))
        if (faults.reorder) ticks.reverse()
        follow(
          (async () => {
            for (const tick of ticks) await deliverEvent({ statuses: [tick] })
          })(),
        )
      }
      await pause(30)
    }
  }
  void reportStatuses()

  return {
    faults: faults,
    sent: sent,
    send(chat: string, content: object): void {
      const message = {
        id: `wamid.${randomBytes(15).toString('base64url')}`,
        timestamp: unixSeconds(),
        from: chat,
        ...content,
      }
      const queue = waiting.get(chat)
      if (queue) queue.push(message)
      else {
        waiting.set(chat, [message])
        deliver(chat)
      }
    },
    /** The messages that reached the phones, in the order in which Meta accepted them. */
    listReceived: (): ReceivedByCustomer[] =>
      graph.acceptedSends.map(({ body }) => ({
        chat: String(body.to),
        id: String(body.biz_opaque_callback_data),
        text: sentText(body),
      })),
    /** Whether nothing is in transit. */
    isQuiet: () => deliveries.size === 0 && waiting.size === 0 && reportedCount === graph.acceptedSends.length,
    close(): void {
      isClosed = true
    },
  }
}
export type FakeVendor = ReturnType<typeof openFakeVendor>

const unixSeconds = () => String(Math.floor(Date.now() / 1000))

/** The text of a sent message; for a template, its values. */
function sentText(body: Record<string, unknown>): string {
  const { text, template, image } = body as {
    text?: { body: string }
    image?: { caption?: string }
    template?: { components?: { parameters: { text?: string }[] }[] }
  }
  if (template) return template.components?.[0]?.parameters.map((one) => one.text).join(' ') ?? ''
  return text?.body ?? image?.caption ?? ''
}
