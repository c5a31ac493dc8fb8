import { randomBytes } from 'node:crypto'
import { connectionsApi } from '@recado/contract/connections'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CloudDesk, generateWamid, openCloudDesk, unixSeconds } from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { closeTestServers } from '../../../test/test-server.ts'

let desk: CloudDesk
beforeAll(async () => {
  desk = await openCloudDesk()
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

const business = '15550102030'
const monthAgo = () => String(Number(unixSeconds()) - 30 * 86_400)
const deliver = (value: Record<string, unknown>, field: string) =>
  desk.line.deliverChanges(desk.line.change(value, field))
const showHistory = async () => (await desk.line.showLine()).history
const request = async () =>
  desk.admin.call(connectionsApi.askPast, { params: { whatsappId: (await desk.line.showLine()).id } })

/** A conversation in the phone's app: a question, and an answer typed there. */
function makeThread(phone: string, extra: object[] = []) {
  const question = { id: generateWamid(), from: phone, timestamp: monthAgo(), type: 'text', text: { body: 'hola' } }
  const answer = {
    ...{ id: generateWamid(), from: business, to: phone, timestamp: monthAgo(), type: 'text', text: { body: 'sí' } },
    history_context: { status: 'READ' },
  }
  return { question, answer, thread: { id: phone, messages: [question, answer, ...extra] } }
}

it('requests contacts and history once, and stores them as closed past tickets without a notification', async () => {
  const phone = nextPhoneNumber()
  await request()
  await expect.poll(() => desk.graph.phoneAppSyncs).toEqual(['smb_app_state_sync', 'history'])
  expect(await showHistory()).toMatchObject({ state: 'running', percent: null })

  const file = { id: generateWamid(), from: phone, timestamp: monthAgo(), type: 'media_placeholder' }
  const { question, answer, thread } = makeThread(phone, [file])
  const part = { metadata: { phase: 0, chunk_order: 1, progress: 40 }, threads: [thread] }
  // Meta repeats a part that it takes for lost.
  await deliver({ history: [part] }, 'history')
  await deliver({ history: [part] }, 'history')
  const { ticketId } = await desk.waitForMessage(question.id, { body: 'hola', fromMe: false, read: true })
  await desk.waitForMessage(answer.id, { ticketId, body: 'sí', fromMe: true, ack: 4 })
  await expect.poll(showHistory).toMatchObject({ state: 'running', percent: 40, messages: 3 })
  expect((await desk.admin.request<{ status: string }>('GET', `/tickets/${ticketId}`)).body.status).toBe('closed')

  // A recent file follows under the id of its message.
  await desk.waitForMessage(file.id, { mediaType: 'application', error: 'past-media' })
  await deliver({ messages: [{ ...file, type: 'image', image: { id: '4711', caption: 'la factura' } }] }, 'history')
  await desk.waitForMessage(file.id, { mediaType: 'image', body: 'la factura', error: 'past-media' })

  const last = { metadata: { phase: 2, chunk_order: 9, progress: 100 }, threads: [] }
  await deliver({ history: [last] }, 'history')
  await expect.poll(showHistory).toMatchObject({ state: 'done', percent: 100, messages: 3 })

  // Meta does not hand it over again.
  await request()
  await expect.poll(showHistory).toMatchObject({ state: 'refused' })
})

it('shows that the owner of the phone did not share the history', async () => {
  const errors = [{ code: 2593109, title: 'History sync is turned off by the business from the WhatsApp Business App' }]
  await deliver({ history: [{ errors }] }, 'history')
  await expect.poll(showHistory).toMatchObject({ state: 'refused', percent: null })
})

it('saves contacts of the phone, and keeps a name that an agent has chosen', async () => {
  const [known, fresh] = [nextPhoneNumber(), nextPhoneNumber()]
  const { ticketId } = await desk.waitForMessage(await desk.line.customer(known, 'Rosa').says('hola'))
  const { contactId } = (await desk.admin.request<{ contactId: number }>('GET', `/tickets/${ticketId}`)).body
  const entry = (phone_number: string, full_name: string, action = 'add') => ({
    ...{ type: 'contact', action, metadata: { timestamp: unixSeconds() } },
    contact: { full_name, first_name: full_name.split(' ')[0], phone_number },
  })
  const sync = [entry(`+${fresh}`, 'Marta Ríos'), entry(known, 'Rosa Proveedora'), entry('abc', 'Nadie')]
  await deliver({ state_sync: [...sync, entry(fresh, 'Marta Ríos', 'remove')] }, 'smb_app_state_sync')
  type Contacts = { contacts: { id: number; name: string; number: string }[] }
  const find = async (words: string) =>
    (await desk.admin.request<Contacts>('GET', `/contacts?searchParam=${encodeURIComponent(words)}`)).body.contacts
  await expect.poll(() => find('Marta')).toMatchObject([{ name: 'Marta Ríos', number: fresh }])
  expect(await find('Rosa')).toMatchObject([{ id: contactId, name: 'Rosa' }])
})

it('ignores what arrives after a user has stopped the import', async () => {
  await request()
  await expect.poll(showHistory).toMatchObject({ state: 'refused' })
  const { id: whatsappId } = await desk.line.showLine()
  desk.graph.phoneAppSyncs.length = 0
  await request()
  await expect.poll(() => desk.graph.phoneAppSyncs.length).toBe(2)
  await desk.admin.call(connectionsApi.stopPast, { params: { whatsappId } })
  const { question, thread } = makeThread(nextPhoneNumber())
  await deliver({ history: [{ metadata: { phase: 0, chunk_order: 1, progress: 10 }, threads: [thread] }] }, 'history')
  await desk.server.server.switchboard.inbox.idle()
  expect(await showHistory()).toMatchObject({ state: 'stopped' })
  const stored = await desk.server
    .wide()
    .db.selectFrom('messages')
    .select('id')
    .where('wid', '=', question.id)
    .execute()
  expect(stored).toEqual([])
})

it.each(['history', 'messages'])(
  'goes on with the line after an event of %s whose id no index can hold',
  async (field) => {
    const [phone, id] = [nextPhoneNumber(), `wamid.${randomBytes(6000).toString('hex')}`]
    const message = { id, from: phone, timestamp: monthAgo(), type: 'text', text: { body: 'hola' } }
    const usual = { ...message, id: generateWamid() }
    const part = {
      metadata: { phase: 0, chunk_order: 2, progress: 20 },
      threads: [{ id: phone, messages: [usual, message, { ...usual, id: generateWamid() }] }],
    }
    await deliver(field === 'history' ? { history: [part] } : { contacts: [], messages: [message] }, field)
    await desk.waitForMessage(await desk.line.customer(phone).says('sigo aquí'))
  },
)
