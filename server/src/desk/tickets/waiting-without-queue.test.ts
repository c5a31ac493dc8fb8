import { queuesApi } from '@recado/contract/queues'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, expect, it } from 'vitest'
import { openDesk } from '../../../test/desk.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'

afterAll(closeTestServers)

it('moves customers who wait without a queue into a new queue on request, and no one else', async () => {
  const d = await openDesk(await testServer())
  const agent = await d.createUser('user')
  const waiting = await d.newTicket()
  const open = await d.openTicket(d.admin)
  expect(await d.admin.call(ticketsApi.withoutQueue)).toEqual([{ whatsappId: d.line.id, count: 1 }])
  const create = (name: string, color: string, more: object) =>
    d.admin.call(queuesApi.create, {
      body: { name, color, whatsappIds: [d.line.id], userIds: [agent.id], lineGreeting: 'Hola', ...more } as never,
    })
  const queueIdOf = async (id: number) => (await d.admin.call(ticketsApi.show, { params: { id } })).queueId
  await create('Sin llevarlos', '#e03131', {})
  expect(await queueIdOf(waiting.id)).toBeNull()
  const queue = await create('Ventas', '#2f9e44', { takesWaiting: true })
  await expect.poll(() => queueIdOf(waiting.id)).toBe(queue.id)
  expect(await queueIdOf(open.id)).toBeNull()
  expect(await d.admin.call(ticketsApi.withoutQueue)).toEqual([])
  // Nobody transferred the customer, who has waited since the first message.
  const { events } = (await d.admin.request<{ events: { steps: object[] }[] }>('GET', `/tickets/${waiting.id}/events`))
    .body
  expect(events.flatMap((event) => event.steps)).toContainEqual(
    expect.objectContaining({ step: 'transferred', why: 'queue-created' }),
  )
  const segments = await d.server
    .wide()
    .db.selectFrom('ticketTracking')
    .select(['queueId', 'endedBy'])
    .where('ticketId', '=', waiting.id)
    .execute()
  expect(segments).toEqual([{ queueId: queue.id, endedBy: null }])
  // The agent of the queue sees the customer now.
  const { tickets } = await agent.call(ticketsApi.list, { query: { pageNumber: 1, status: 'pending' } as never })
  expect(tickets.map(({ id }) => id)).toEqual([waiting.id])
})
