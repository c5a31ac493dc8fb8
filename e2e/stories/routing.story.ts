import { queuesApi } from '@recado/contract/queues'
import { expect, test } from 'vitest'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('assigns a waiting ticket to an available agent, tells why, and spares who is on a break', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const { admin } = company
  const { id } = await admin.call(queuesApi.create, {
    body: { name: 'Ventas', color: '#2f9e44', orderQueue: 1 } as never,
  })
  const line = await h.openLine(company, { queueIds: [id] })
  const agent = await company.user('user')
  const link = { companyId: company.id, userId: agent.id, queueId: id }
  await h.wide().db.insertInto('userQueues').values(link).execute()

  // An admin chooses how the queue assigns its tickets.
  const ana = await desk.open(admin, '/queues')
  await ana.page.getByText('Ventas', { exact: true }).first().click()
  await ana.click('Reparto', 'tab', ana.dialog)
  await ana.byRole('radio', /^Menos abiertos/, ana.dialog).click()
  await ana.fill('Tickets abiertos a la vez', '1', ana.dialog)
  await ana.takeScreenshot('queue-form-routing')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await expect.poll(() => ana.page.getByRole('dialog').count()).toBe(0)

  const beto = await desk.open(agent, '/tickets')
  await line.customer('5491155550101', 'Lucía Campos').says('Hola')
  await beto.page.getByText('Lucía Campos', { exact: true }).first().click()
  await beto.expectText(/que tenía menos abiertos/)

  // On a break the agent gets no more, and everybody sees it.
  await beto.click(/cuenta/)
  await beto.click(/^En pausa/, 'menuitem')
  await line.customer('5491155550102', 'Marco Díaz').says('Hola')
  await ana.page.goto(new URL('/users', ana.page.url()).href)
  await ana.expectText('En pausa')
  await ana.takeScreenshot('users-availability')
  await beto.page.setViewportSize(phoneViewport)
  await beto.page.goto(new URL('/tickets', beto.page.url()).href)
  await beto.click(/cuenta/)
  await beto.takeScreenshot('availability-phone')
  await beto.checkAccessibility()
  expect(await beto.byRole('menuitem', /^En pausa/).getAttribute('aria-current')).toBe('true')
})
