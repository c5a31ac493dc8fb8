import { contactsApi } from '@recado/contract/contacts'
import { queueOptionsApi } from '@recado/contract/queue-options'
import { queuesApi } from '@recado/contract/queues'
import { routingApi } from '@recado/contract/routing/live'
import { skillsApi } from '@recado/contract/routing/skills'
import { settingsApi } from '@recado/contract/settings'
import { tagsApi } from '@recado/contract/tags'
import { usersApi } from '@recado/contract/users'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { minutes, seconds } from '../../kernel/clock.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

type Place = { id: number; name: string; color: string }
type Person = TestUser & { name: string }
const settle = () => harness.server.switchboard.router.poll()
async function createRoutedQueue(rules: object = {}): Promise<Place> {
  const { id, name, color } = await desk.createQueue()
  const queue = { id, name, color }
  await change(queue, { routing: 'fewestOpen', ...rules })
  return queue
}
async function change(queue: Place, rules: object): Promise<void> {
  await desk.admin.call(queuesApi.update, { params: { id: queue.id }, body: { ...queue, ...rules } as never })
  await settle()
}
async function createOnlineAgent(queue: Place, more: object = {}): Promise<Person> {
  const agent = await desk.createUser('user', [queue])
  await changeUser(agent, more)
  await agent.listen()
  return agent
}
async function changeUser(agent: Person, more: object): Promise<void> {
  const { email } = await desk.admin.call(usersApi.show, { params: { id: agent.id } })
  const body = { name: agent.name, email, ...more }
  await desk.admin.call(usersApi.update, { params: { id: agent.id }, body: body as never })
  await settle()
}
const createSkill = (name: string, language: string | null = null) =>
  desk.admin.call(skillsApi.create, { body: { name, language } })
const createTag = (name: string, more: object) =>
  desk.admin.call(tagsApi.create, { body: { name, color: '#d73434', ...more } as never })
async function addToQueue(queue: Place, { tags = [] as { id: number }[], language = '' } = {}): Promise<number> {
  const { id, contactId } = await desk.newTicket().then(({ id }) => desk.showTicket(id))
  if (language) await changeContact(contactId, { language })
  for (const tag of tags)
    await desk.db.insertInto('ticketTags').values({ companyId: desk.company.id, ticketId: id, tagId: tag.id }).execute()
  harness.clock.advance(seconds(1))
  await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  await settle()
  return id
}
async function changeContact(id: number, more: object): Promise<void> {
  const { name, email } = await desk.admin.call(contactsApi.show, { params: { id } })
  await desk.admin.call(contactsApi.update, { params: { id }, body: { name, email, number: '', ...more } as never })
  await settle()
}
async function resolve(by: TestUser, id: number): Promise<void> {
  await desk.putTicket(by, id, { status: 'closed', justClose: true })
  await settle()
}
const listHolders = (ids: number[]) => Promise.all(ids.map(async (id) => (await desk.showTicket(id)).userId))
const reasonOf = async (id: number) => (await desk.listEvents(id)).find(({ kind }) => kind === 'accept')?.steps[0]
const readLive = (queue: Place) =>
  desk.admin.call(routingApi.live, { query: { queueIds: JSON.stringify([queue.id]) } as never })
const waitReasonOf = async (queue: Place, id: number) =>
  (await readLive(queue)).waiting.find((ticket) => ticket.id === id)

describe('weights', () => {
  it('let a ticket of a heavy queue take more places, and the live page and the history say so', async () => {
    const queue = await createRoutedQueue({ capacity: 3, weight: 2 })
    const ana = await createOnlineAgent(queue)
    const [first, second] = [await addToQueue(queue), await addToQueue(queue)]
    expect(await listHolders([first, second])).toEqual([ana.id, null])
    expect(await reasonOf(first)).toMatchObject({ with: { open: 2, capacity: 3, weight: 2 } })
    const { people, waiting } = await readLive(queue)
    expect(people).toMatchObject([{ id: ana.id, open: 1, places: 2, capacity: 3 }])
    expect(waiting).toMatchObject([{ id: second, reason: 'full' }])
    await change(queue, { weight: 1 })
    expect(await listHolders([second])).toEqual([ana.id])
  })

  it('of tags count if they are larger, also for tickets that have the tag already', async () => {
    const queue = await createRoutedQueue({ capacity: 4, weight: 2 })
    const ana = await createOnlineAgent(queue)
    const [light, heavy] = [await createTag('Consulta', { weight: 1 }), await createTag('Reclamo', { weight: 1 })]
    const tickets = [await addToQueue(queue, { tags: [light, heavy] }), await addToQueue(queue)]
    expect(await listHolders(tickets)).toEqual([ana.id, ana.id])
    await desk.admin.call(tagsApi.update, { params: { id: heavy.id }, body: { name: heavy.name, weight: 5 } as never })
    await expect.poll(async () => (await readLive(queue)).people[0]?.places).toBe(7)
    await resolve(ana, tickets[1] as number)
    const third = await addToQueue(queue)
    expect(await listHolders([third])).toEqual([null])
    await desk.admin.request('DELETE', `/tags/${heavy.id}`)
    await settle()
    expect(await listHolders([third])).toEqual([ana.id])
  })

  it('keep the agent who has most places free for an older heavy ticket', async () => {
    const queue = await createRoutedQueue({ capacity: 2 })
    const ana = await createOnlineAgent(queue)
    const heavy = await createTag('Doble', { weight: 2 })
    const [held, older, younger] = [
      await addToQueue(queue),
      await addToQueue(queue, { tags: [heavy] }),
      await addToQueue(queue),
    ]
    expect(await listHolders([held, older, younger])).toEqual([ana.id, null, null])
    await resolve(ana, held)
    expect(await listHolders([older, younger])).toEqual([ana.id, null])
  })

  it('are at least 1 and at most 10', async () => {
    const queue = await createRoutedQueue()
    for (const weight of [0, 11]) {
      expect((await desk.admin.request('PUT', `/queue/${queue.id}`, { ...queue, weight })).status).toBe(400)
      expect((await desk.admin.request('POST', '/tags', { name: 'Mal', weight })).status).toBe(400)
    }
  })
})

describe('skills', () => {
  it('send tickets of a queue to those who have them, and the history names the others', async () => {
    const skill = await createSkill('Francés')
    const queue = await createRoutedQueue({ skillIds: [skill.id] })
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue, { skillIds: [skill.id] })]
    const tickets = [await addToQueue(queue), await addToQueue(queue)]
    expect(await listHolders(tickets)).toEqual([beto.id, beto.id])
    expect((await reasonOf(tickets[0] as number))?.with).toMatchObject({ skills: 'Francés', unskilled: ana.name })
  })

  it('that nobody has let younger tickets pass, until somebody gets the skill', async () => {
    const skill = await createSkill('Alemán')
    const tag = await createTag('En alemán', { skillIds: [skill.id] })
    const queue = await createRoutedQueue()
    const ana = await createOnlineAgent(queue)
    const [rare, common] = [await addToQueue(queue, { tags: [tag] }), await addToQueue(queue)]
    expect(await listHolders([rare, common])).toEqual([null, ana.id])
    expect(await waitReasonOf(queue, rare)).toMatchObject({ reason: 'unskilled', skills: ['Alemán'] })
    await changeUser(ana, { skillIds: [skill.id] })
    expect(await listHolders([rare])).toEqual([ana.id])
  })

  it('are given up after the minutes of the queue, without any other event', async () => {
    const skill = await createSkill('Italiano')
    const queue = await createRoutedQueue({ skillIds: [skill.id], skillTimeoutMinutes: 2 })
    const ana = await createOnlineAgent(queue)
    const ticket = await addToQueue(queue)
    harness.clock.advance(minutes(1))
    await settle()
    expect(await listHolders([ticket])).toEqual([null])
    harness.clock.advance(minutes(1))
    await settle()
    expect(await listHolders([ticket])).toEqual([ana.id])
    expect((await reasonOf(ticket))?.with).toMatchObject({ missing: 'Italiano' })
  })

  it('follow the language of the customer where the queue asks for it, also if it is set while the customer waits', async () => {
    const skill = await createSkill('Portugués', 'pt')
    const queue = await createRoutedQueue({ asksLanguage: true })
    const [ana, beto] = [
      await createOnlineAgent(queue),
      await createOnlineAgent(queue, { skillIds: [skill.id], capacity: 1 }),
    ]
    const [first, second] = [await addToQueue(queue, { language: 'pt' }), await addToQueue(queue, { language: 'pt' })]
    expect(await listHolders([first, second])).toEqual([beto.id, null])
    const { contactId } = await desk.showTicket(second)
    await changeContact(contactId, { language: 'en' })
    expect(await listHolders([second])).toEqual([ana.id])
  })

  it('of the menu option that the customer chose count', async () => {
    const skill = await createSkill('Garantías')
    const queue = await createRoutedQueue()
    const option = await desk.admin.call(queueOptionsApi.create, {
      body: { queueId: queue.id, title: 'Garantía', skillIds: [skill.id] } as never,
    })
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue, { skillIds: [skill.id] })]
    await desk.admin.call(queuesApi.update, {
      params: { id: queue.id },
      body: { ...queue, whatsappIds: [desk.line.id] } as never,
    })
    const { id, customer } = await desk.newTicket()
    await desk.waitForMessage(await customer.says(String(option.option)))
    await settle()
    expect(await listHolders([id])).toEqual([beto.id])
    await desk.admin.call(queuesApi.update, { params: { id: queue.id }, body: { ...queue, whatsappIds: [] } as never })
    const other = await createRoutedQueue()
    await changeUser(ana, { queueIds: [other.id] })
    await desk.putTicket(desk.admin, id, { queueId: other.id, status: 'pending', userId: null })
    await settle()
    expect(await listHolders([id])).toEqual([ana.id])
  })

  it('that are deleted are asked for no more', async () => {
    const skill = await createSkill('Ruso')
    const tag = await createTag('En ruso', { skillIds: [skill.id] })
    const queue = await createRoutedQueue({ skillIds: [skill.id] })
    const ana = await createOnlineAgent(queue, { skillIds: [skill.id] })
    await changeUser(ana, { skillIds: [] })
    const ticket = await addToQueue(queue, { tags: [tag] })
    expect(await listHolders([ticket])).toEqual([null])
    await desk.admin.call(skillsApi.remove, { params: { id: skill.id } })
    await settle()
    expect(await listHolders([ticket])).toEqual([ana.id])
    const queues = await desk.admin.call(queuesApi.list, { query: {} as never })
    expect(queues.find(({ id }) => id === queue.id)?.skillIds).toEqual([])
  })

  it('have one name and one language each, are at most 50, and are edited by admins', async () => {
    const before = await desk.admin.call(skillsApi.all, {})
    const code = (body: object, by: TestUser = desk.admin) =>
      by.request<{ error?: string }>('POST', '/skills', body).then((reply) => reply.body.error)
    expect(await code({ name: 'portugués' })).toBe('ERR_SKILL_NAME_ALREADY_EXISTS')
    expect(await code({ name: 'Brasil', language: 'pt' })).toBe('ERR_SKILL_LANGUAGE_ALREADY_EXISTS')
    expect(await code({ name: 'Otra' }, await desk.createUser('supervisor'))).toBe('ERR_NO_PERMISSION')
    for (let n = before.length; n < 50; n++) await createSkill(`Habilidad ${n}`)
    expect(await code({ name: 'Una más' })).toBe('ERR_LIST_FULL')
    for (const skill of await desk.admin.call(skillsApi.all, {}))
      if (skill.name.startsWith('Habilidad')) await desk.admin.call(skillsApi.remove, { params: { id: skill.id } })
  })
})

describe('the owner of a contact', () => {
  it('comes first if free, unless the queue says otherwise, and is nobody after they are deleted', async () => {
    const queue = await createRoutedQueue({ routing: 'roundRobin', capacity: 2 })
    const [ana, beto] = [await createOnlineAgent(queue), await createOnlineAgent(queue)]
    const waits = async () => {
      const { id } = await desk.newTicket()
      const { contactId } = await desk.showTicket(id)
      await changeContact(contactId, { ownerId: beto.id })
      harness.clock.advance(seconds(1))
      await desk.putTicket(desk.admin, id, { queueId: queue.id, status: 'pending', userId: null })
      await settle()
      return { id, contactId }
    }
    const [first, second, third] = [await waits(), await waits(), await waits()]
    expect(await listHolders([first.id, second.id, third.id])).toEqual([beto.id, beto.id, ana.id])
    expect(await reasonOf(first.id)).toMatchObject({ why: 'routed-to-owner' })
    await change(queue, { ownerFirst: false, capacity: 3 })
    // In turn, it is Beto's and then Ana's.
    expect(await listHolders([(await waits()).id, (await waits()).id])).toEqual([beto.id, ana.id])
    await desk.admin.call(usersApi.remove, { params: { id: beto.id } })
    expect(await desk.admin.call(contactsApi.show, { params: { id: first.contactId } })).toMatchObject({
      ownerId: null,
    })
  })

  it('must be a user of the company', async () => {
    const { contactId } = await desk.newTicket().then(({ id }) => desk.showTicket(id))
    const other = await openDesk(harness)
    const { name, number } = await desk.admin.call(contactsApi.show, { params: { id: contactId } })
    const reply = await desk.admin.request('PUT', `/contacts/${contactId}`, { name, number, ownerId: other.admin.id })
    expect(reply.body).toMatchObject({ error: 'ERR_NO_USER_FOUND' })
  })

  it('is in the export once a contact has one, and an import reads the same column', async () => {
    const other = await openDesk(harness)
    const agent = await other.createUser('user')
    const exported = () => other.admin.request<string>('GET', '/contacts/export').then(({ body }) => String(body))
    expect(await exported()).toMatch(/^\W*name;number;email\W/)
    const { email } = await other.admin.call(usersApi.show, { params: { id: agent.id } })
    const reply = await other.admin.call(contactsApi.upload, {
      body: [
        { Nombre: 'Sol', Teléfono: '5491155551111', Dueño: email.toUpperCase() },
        { Nombre: 'Luz', Teléfono: '5491155552222', Dueño: 'nadie@desk.example' },
      ],
    })
    expect(reply.errorBag).toEqual([])
    const [sol, luz] = await Promise.all(
      reply.newContacts.map(({ contactId }) => other.admin.call(contactsApi.show, { params: { id: contactId } })),
    )
    expect([sol?.ownerId, luz?.ownerId]).toEqual([agent.id, null])
    expect(await exported()).toContain(`Sol;5491155551111;;${email}`)
  })
})

describe('a plan of shifts', () => {
  // The clock moves by more than the life of a session in this file.
  beforeAll(async () => {
    desk = await openDesk(harness)
  })
  const runTimers = () => harness.server.switchboard.timers.poll().then(settle)
  /** A shift of six minutes that begins in some minutes, in UTC. */
  const shiftIn = (start: number) => {
    const from = new Date(harness.clock.now().getTime() + minutes(start))
    const time = (moment: Date) => moment.toISOString().slice(11, 16)
    const weekdayEn = from.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase()
    return [{ weekday: '', weekdayEn, startTime: time(from), endTime: time(new Date(from.getTime() + minutes(6))) }]
  }

  it('keeps tickets from people outside of their shifts, and wakes the router when a shift begins', async () => {
    await desk.admin.call(settingsApi.update, { params: { key: 'timezone' }, body: { value: 'UTC' } })
    const queue = await createRoutedQueue()
    const ana = await createOnlineAgent(queue, { shifts: shiftIn(3) })
    const first = await addToQueue(queue)
    expect(await listHolders([first])).toEqual([null])
    expect(await waitReasonOf(queue, first)).toMatchObject({ reason: 'unavailable' })
    expect((await readLive(queue)).people).toMatchObject([{ id: ana.id, onShift: false, availability: 'available' }])
    harness.clock.advance(minutes(4))
    await runTimers()
    expect(await listHolders([first])).toEqual([ana.id])
    harness.clock.advance(minutes(7))
    await runTimers()
    const beto = await createOnlineAgent(queue)
    const second = await addToQueue(queue)
    expect(await listHolders([second])).toEqual([beto.id])
    expect((await reasonOf(second))?.with).toMatchObject({ offShift: ana.name })
    await changeUser(ana, { shifts: [] })
    expect(await desk.admin.call(usersApi.show, { params: { id: ana.id } })).toMatchObject({
      onShift: true,
      shifts: [],
    })
  })

  it('follows the time zone of the company', async () => {
    const queue = await createRoutedQueue()
    const ana = await createOnlineAgent(queue, { shifts: shiftIn(-2) })
    const isOnShift = () => desk.admin.call(usersApi.show, { params: { id: ana.id } }).then(({ onShift }) => onShift)
    expect(await isOnShift()).toBe(true)
    await desk.admin.call(settingsApi.update, { params: { key: 'timezone' }, body: { value: 'Asia/Tokyo' } })
    await runTimers()
    expect(await isOnShift()).toBe(false)
    await desk.admin.call(settingsApi.update, { params: { key: 'timezone' }, body: { value: 'UTC' } })
    await runTimers()
    expect(await isOnShift()).toBe(true)
  })
})

describe('the next agent by rules that are not saved', () => {
  // The clock moves by more than the life of a session in this file.
  beforeAll(async () => {
    desk = await openDesk(harness)
  })
  it('is ranked like assignments, and the others say what is in the way', async () => {
    const skill = await createSkill('Checo', 'cs')
    const queue = await createRoutedQueue({ routing: 'manual' })
    const [ana, beto, carla] = [
      await createOnlineAgent(queue, { skillIds: [skill.id] }),
      await createOnlineAgent(queue, { skillIds: [skill.id] }),
      await createOnlineAgent(queue),
    ]
    const dora = await desk.createUser('user', [queue])
    const userIds = [ana, beto, carla, dora].map(({ id }) => id)
    await desk.putTicket(ana, await addToQueue(queue), { status: 'open', userId: ana.id })
    const ask = (draft: object) =>
      desk.admin.call(routingApi.next, {
        body: { queueId: queue.id, userIds, routing: 'fewestOpen', ...draft } as never,
      })
    const shown = ({ people }: Awaited<ReturnType<typeof ask>>) =>
      people.map(({ id, rank, obstacle }) => [id, rank, obstacle])
    expect(shown(await ask({ asksLanguage: true, language: 'cs' }))).toEqual([
      [beto.id, 1, null],
      [ana.id, 2, null],
      ...[carla, dora]
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(({ id }) => [id, null, id === carla.id ? 'unskilled' : 'offline']),
    ])
    const full = await ask({ capacities: [{ userId: ana.id, capacity: 1 }], skillIds: [skill.id] })
    expect(full.people.find(({ id }) => id === ana.id)).toMatchObject({ obstacle: 'full', places: 1, capacity: 1 })
    expect(full.skills).toEqual(['Checo'])
    expect((await ask({ routing: 'manual' })).people.every(({ rank }) => rank === null)).toBe(true)
  })

  it('sets the capacities of members with the queue', async () => {
    const queue = await createRoutedQueue()
    const ana = await createOnlineAgent(queue)
    await change(queue, { capacities: [{ userId: ana.id, capacity: 4 }] })
    expect(await desk.admin.call(usersApi.show, { params: { id: ana.id } })).toMatchObject({ capacity: 4 })
    const stranger = await desk.createUser('user')
    const body = { ...queue, capacities: [{ userId: stranger.id, capacity: 4 }] }
    expect(await desk.admin.request('PUT', `/queue/${queue.id}`, body)).toMatchObject({
      body: { error: 'ERR_NO_USER_FOUND' },
    })
  })
})
