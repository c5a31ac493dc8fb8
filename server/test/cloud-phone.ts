import { randomBytes } from 'node:crypto'
import type { CloudAccount } from '@recado/contract/cloud'
import { connectionsApi } from '@recado/contract/connections'
import { messagesApi } from '@recado/contract/messages'
import { ticketsApi } from '@recado/contract/tickets'
import type { NotNull } from 'kysely'
import { expect, vi } from 'vitest'
import { nextPhoneNumber } from './desk.ts'
import { type FakeGraph, fakeGraph, signWebhookBody } from './fake-graph.ts'
import { type TestUser, testServer } from './test-server.ts'
import { waitTimeoutMs } from './wait-timeout.ts'

type ExtraFields = Record<string, unknown>
let lastSequence = 0
export const generateWamid = () => `wamid.${randomBytes(18).toString('base64')}`

/** A line on the official API for the admin's company, with a fake Meta server. */
export async function openCloudLine(
  admin: TestUser,
  graph: FakeGraph,
  overrides: ExtraFields = {},
  account = graph.createAccount(),
) {
  const cloud = { ...account, verifyToken: '' }
  const body = { name: `Cloud ${++lastSequence}`, provider: 'cloud', cloud, ...overrides } as never
  const { id, cloud: shown } = await admin.call(connectionsApi.create, { body })
  const { webhookUrl, verifyToken } = shown as CloudAccount
  const path = new URL(webhookUrl).pathname
  const row = () => admin.call(connectionsApi.show, { params: { id } })
  const reaches = (status: string, reason = '') =>
    vi.waitFor(
      async () => {
        const now = await row()
        if (now.status !== status || (reason && now.reason !== reason))
          throw new Error(`the line is ${now.status} (${now.reason}), not ${status}`)
        return now
      },
      { timeout: 10_000, interval: 20 },
    )

  /** Calls our webhook as Meta does. `by`: the address of the process to call. */
  async function post(payload: unknown, signature?: string, by?: string) {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const headers = { 'x-hub-signature-256': signature ?? signWebhookBody(account.appSecret, text) }
    const response = await fetch((by ?? new URL(webhookUrl).origin) + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    })
    return { status: response.status, body: (await response.json()) as ExtraFields }
  }
  const change = (value: ExtraFields, field = 'messages') => ({
    field,
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550102030', phone_number_id: account.phoneNumberId },
      ...value,
    },
  })
  const wrap = (...changes: object[]) => ({
    object: 'whatsapp_business_account',
    entry: [{ id: account.businessAccountId, changes }],
  })
  async function deliverChanges(...changes: object[]): Promise<void> {
    const { status, body } = await post(wrap(...changes))
    if (status !== 200) throw new Error(`the webhook answered ${status} ${JSON.stringify(body)}`)
  }
  /** Meta's status of one of our messages; `failed` with its code. */
  const status = (
    of: { wamid: string; body: { biz_opaque_callback_data?: string } },
    what: string,
    code?: number,
    more: object = {},
  ) =>
    change({
      statuses: [
        {
          id: of.wamid,
          status: what,
          timestamp: unixSeconds(),
          recipient_id: '5511980000000',
          biz_opaque_callback_data: of.body.biz_opaque_callback_data,
          ...(code && { errors: [{ code, title: `error ${code}`, error_data: { details: `details of ${code}` } }] }),
          ...more,
        },
      ],
    })

  function customer(
    phone: string,
    name = `Cliente ${phone.slice(-4)}`,
    identity: { userId?: string; hidden?: boolean; username?: string } = {},
  ) {
    const { userId, hidden, username } = identity
    const contact = {
      profile: { name, ...(username && { username }) },
      ...(!hidden && { wa_id: phone }),
      ...(userId && { user_id: userId }),
    }
    const messageOf = (message: ExtraFields) => ({
      id: generateWamid(),
      timestamp: unixSeconds(),
      ...(!hidden && { from: phone }),
      ...(userId && { from_user_id: userId }),
      ...message,
    })
    async function sendAsCustomer(message: ExtraFields): Promise<string> {
      const whole = messageOf(message)
      await deliverChanges(change({ contacts: [contact], messages: [whole] }))
      return whole.id as string
    }
    return {
      phone,
      sends: sendAsCustomer,
      messageOf,
      contact,
      says: (text: string, more: ExtraFields = {}) => sendAsCustomer({ type: 'text', text: { body: text }, ...more }),
    }
  }
  return {
    id,
    account,
    path,
    verifyToken,
    showLine: row,
    waitForStatus: reaches,
    post,
    deliverChanges: deliverChanges,
    change,
    wrapChanges: wrap,
    status,
    customer,
  }
}
export type CloudPhone = Awaited<ReturnType<typeof openCloudLine>>

export const unixSeconds = (at = Date.now()) => String(Math.floor(at / 1000))

/** Short polling intervals, and generous timeouts for a slow machine. */
export const quickCloudTimings = {
  timeoutMs: waitTimeoutMs,
  retryMs: 20,
  reconnectMs: 30,
  refusedMs: 200,
  settleMs: 400,
  pollMs: 200,
}

/** A company on the official API: a connected line, and helpers to act and to check results. */
export async function openCloudDesk(overrides: ExtraFields = {}) {
  const graph = await fakeGraph()
  const h = await testServer({ graphUrl: graph.base }, undefined, { cloud: quickCloudTimings })
  const { admin, ...company } = await h.createCompany()
  const { db } = h.wide()
  const line = await openCloudLine(admin, graph, overrides)
  await line.waitForStatus('CONNECTED')
  const within = { timeout: 5000, interval: 15 }

  /** The row of a message, once it matches. */
  const stored = (wid: string, like: ExtraFields = {}) =>
    vi.waitFor(async () => {
      const rows = db.selectFrom('messages').selectAll().where('companyId', '=', company.id)
      const row = await rows.where('wid', '=', wid).$narrowType<{ ticketId: NotNull }>().executeTakeFirstOrThrow()
      expect(row).toMatchObject(like)
      return row
    }, within)
  const takenOf = (wid: string) =>
    vi.waitFor(() => {
      const found = graph.acceptedSends.filter((t) => t.body.biz_opaque_callback_data === wid)
      expect(found).toHaveLength(1)
      return found[0] as (typeof found)[number]
    }, within)
  const accept = (id: number) =>
    admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: admin.id } as never })
  /** A new customer has written, and the admin has accepted the ticket. */
  async function conversation(text = 'hola', phone = nextPhoneNumber()) {
    const customer = line.customer(phone)
    const wid = await customer.says(text)
    const { ticketId } = await stored(wid)
    await accept(ticketId)
    return { customer, ticketId, wid }
  }
  /** The vendor's id of a message. */
  const widOf = async (id: string) =>
    (await db.selectFrom('messages').select('wid').where('id', '=', Number(id)).executeTakeFirstOrThrow()).wid
  async function send(ticketId: number, body: string, more: ExtraFields = {}): Promise<string> {
    const { id } = await admin.call(messagesApi.send, { params: { ticketId }, body: { body, ...more } as never })
    return widOf(id as string)
  }
  const show = (id: number) => admin.call(ticketsApi.show, { params: { id } })
  return {
    server: h,
    graph,
    admin,
    company,
    db,
    line,
    waitForMessage: stored,
    waitForSend: takenOf,
    accept,
    startConversation: conversation,
    send,
    show,
    widOf,
  }
}
export type CloudDesk = Awaited<ReturnType<typeof openCloudDesk>>
