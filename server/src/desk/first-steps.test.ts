import { queuesApi } from '@recado/contract/queues'
import { type FirstStepsState, settingsApi } from '@recado/contract/settings'
import { usersApi } from '@recado/contract/users'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDesk } from '../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const noStepsDone: FirstStepsState = { line: false, queue: false, people: false, answered: false }

it('counts an onboarding step as done only when it works for customers', async () => {
  const { admin: stranger } = await harness.createCompany()
  const steps = (who = stranger) => who.call(settingsApi.firstSteps)
  expect(await steps()).toEqual(noStepsDone)
  const d = await openDesk(harness)
  expect(await steps(d.admin)).toEqual({ ...noStepsDone, line: true })
  // A queue without a line, and a colleague without a queue or only invited, do not help any customer.
  const queue = await d.createQueue()
  const agent = await d.createUser('user')
  const invited = { name: 'Beto', email: 'beto-steps@desk.test', queueIds: [queue.id] }
  await d.admin.call(usersApi.create, { body: invited as never })
  expect(await steps(d.admin)).toEqual({ ...noStepsDone, line: true })
  const body = { ...queue, whatsappIds: [d.line.id] }
  await d.admin.call(queuesApi.update, { params: { id: queue.id }, body: body as never })
  expect(await steps(d.admin)).toEqual({ ...noStepsDone, line: true, queue: true })
  await d.admin.call(queuesApi.update, { params: { id: queue.id }, body: { ...body, userIds: [agent.id] } as never })
  expect(await steps(d.admin)).toEqual({ ...noStepsDone, line: true, queue: true, people: true })
  const mine = await d.openTicket(d.admin)
  await d.send(d.admin, mine.id, 'Hola')
  expect((await steps(d.admin)).answered).toBe(false)
  const theirs = await d.newTicket()
  await d.accept(agent, theirs.id)
  await d.send(agent, theirs.id, 'Hola')
  expect(await steps(d.admin)).toEqual({ line: true, queue: true, people: true, answered: true })
})
