import { queuesApi } from '@recado/contract/queues'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
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
  await ana.fill('Lugares de cada persona', '1', ana.dialog)
  await ana.click('Ver qué pasaría', 'button', ana.dialog)
  await ana.expectText(/nadie atendió tickets/, ana.dialog)
  await ana.takeScreenshot('queue-form-routing')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await expect.poll(() => ana.page.getByRole('dialog').count()).toBe(0)

  const beto = await desk.open(agent, '/tickets')
  await line.customer('5491155550101', 'Lucía Campos').says('Hola')
  await beto.page.getByText('Lucía Campos', { exact: true }).first().click()
  await beto.expectText(/que tenía menos abiertos/)

  // An admin names the reasons for a break.
  await ana.page.goto(new URL('/settings', ana.page.url()).href)
  await ana.page.getByLabel('Motivos de pausa').fill('Almuerzo')
  await ana.page.keyboard.press('Enter')
  await ana.expectText('Opción guardada')
  await ana.takeScreenshot('settings-availability')

  // On a break the agent gets no more, and everybody sees it. A line reminds the agent.
  await beto.click(/cuenta/)
  await beto.takeScreenshot('availability-menu')
  await beto.click('En pausa: Almuerzo', 'menuitem')
  await beto.expectText(/En pausa \(Almuerzo\) desde las/)
  await beto.takeScreenshot('availability-line')
  await line.customer('5491155550102', 'Marco Díaz').says('Hola')
  await ana.page.goto(new URL('/users', ana.page.url()).href)
  await ana.expectText('En pausa (Almuerzo)')
  await ana.takeScreenshot('users-availability')
  await beto.page.setViewportSize(phoneViewport)
  await beto.page.goto(new URL('/tickets', beto.page.url()).href)
  await beto.click(/cuenta/)
  await beto.takeScreenshot('availability-phone')
  await beto.checkAccessibility()
  expect(await beto.byRole('menuitem', 'En pausa: Almuerzo').getAttribute('aria-current')).toBe('true')
  await beto.page.keyboard.press('Escape')
  await beto.click('Volver ahora')
  await expect.poll(() => beto.page.getByText('Volver ahora').count()).toBe(0)
})

test('shows supervisors who waits and who is there, and gives tickets by drag, by keyboard and on a phone', async () => {
  const d = await openDesk(desk.server())
  const queue = await d.createQueue('Ventas')
  await d.admin.call(queuesApi.update, {
    params: { id: queue.id },
    body: { name: 'Ventas', color: '#2f9e44', routing: 'fewestOpen', capacity: 1 } as never,
  })
  const [supervisor, agent, other] = [
    await d.createUser('supervisor', [queue]),
    await d.createUser('user', [queue]),
    await d.createUser('user', [queue]),
  ]
  for (const [person, name] of [
    [supervisor, 'Lidia Montes'],
    [agent, 'Renata Figueira'],
    [other, 'Tomás Arrieta'],
  ] as const)
    await d.db.updateTable('users').set({ name, availability: 'break' }).where('id', '=', person.id).execute()
  const waits = async (name: string) => {
    const { id } = await d.newTicket('Hola', name)
    await d.putTicket(d.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  }
  await waits('Lucía Campos')
  await waits('Marco Díaz')
  await waits('Sonia Prado')
  const [ana, beto] = await Promise.all([desk.open(supervisor, '/live'), desk.open(agent, '/tickets')])
  const lane = (name: string) => ana.page.getByRole('region', { name: new RegExp(`^${name}:`) })
  const line = ana.page.getByRole('region', { name: 'En espera' })
  const card = (name: string) => ana.page.getByRole('button', { name: new RegExp(`^(\\d+\\. )?${name},`) })
  await ana.expectText('Nadie disponible en su cola', line)

  // Somebody who forgot to come back from the break is made available, and gets a ticket at once.
  await ana.click('Cambiar el estado de Renata Figueira')
  await ana.byRole('radio', 'Disponible', ana.dialog).click()
  await ana.click('Guardar', 'button', ana.dialog)
  await card('Lucía Campos').and(lane('Renata Figueira').getByRole('button')).waitFor()
  await ana.expectText(/lleno$/, lane('Renata Figueira'))
  await ana.checkAccessibility()
  await ana.takeScreenshot('live')

  // Given by drag to somebody who is full: the page asks once, and the agent's browser shows it.
  const from = await ana.stableBox(card('Marco Díaz'))
  const to = await ana.stableBox(lane('Renata Figueira'))
  const { mouse, keyboard } = ana.page
  await mouse.move(from.x + 60, from.y + 14)
  await mouse.down()
  await mouse.move(from.x + 90, from.y + 30, { steps: 4 })
  await mouse.move(to.x + to.width / 2, to.y + 200, { steps: 8 })
  await ana.expectText(/está lleno: te preguntaremos/, lane('Renata Figueira'))
  await ana.takeScreenshot('live-drag')
  await mouse.up()
  await ana.click('Asignar', 'button', ana.dialog)
  await card('Marco Díaz').and(lane('Renata Figueira').getByRole('button')).waitFor()
  await beto.page.getByText('Marco Díaz', { exact: true }).first().waitFor()

  // By keyboard: each step is announced.
  await card('Sonia Prado').focus()
  await keyboard.press('Space')
  await ana.expectText('Sonia Prado, tomado. Elige a la persona con las flechas.')
  await keyboard.press('ArrowRight')
  await ana.expectText('Sobre Renata Figueira, está lleno: te preguntaremos.')
  await keyboard.press('ArrowRight')
  await ana.expectText('Sobre Lidia Montes, está en pausa: te preguntaremos.')
  await keyboard.press('Escape')
  await ana.expectText('Sonia Prado vuelve a su lugar.')

  // On a phone the list of people replaces the drag.
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('live-phone')
  await ana.click('Mover a Sonia Prado…')
  await ana.click(/^Renata Figueira/, 'button', ana.dialog)
  await ana.click('Asignar', 'button', ana.dialog)
  await ana.expectText('Nadie espera')
  await ana.page.getByText(/^Personas/).click()
  await ana.takeScreenshot('live-phone-people')
  await card('Sonia Prado').and(lane('Renata Figueira').getByRole('button')).waitFor()
  await ana.checkAccessibility()
})

test('offers a ticket to one agent at a time, who accepts it while typing, or lets it pass to a colleague', async () => {
  const h = desk.server()
  const d = await openDesk(h)
  const queue = await d.createQueue('Reservas')
  const [renata, tomas] = [await d.createUser('user', [queue]), await d.createUser('user', [queue])]
  for (const [person, name] of [
    [renata, 'Renata Figueira'],
    [tomas, 'Tomás Arrieta'],
  ] as const)
    await d.db.updateTable('users').set({ name }).where('id', '=', person.id).execute()
  const waits = async (words: string, name: string) => {
    const { id } = await d.newTicket(words, name)
    await d.putTicket(d.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  }

  // An admin chooses how long an offer is open.
  const ana = await desk.open(d.admin, '/queues')
  await ana.page.getByText('Reservas', { exact: true }).first().click()
  await ana.click('Reparto', 'tab', ana.dialog)
  await ana.byRole('radio', /^Por turno/, ana.dialog).click()
  await ana.fill('Segundos para aceptar', '240', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await expect.poll(() => ana.page.getByRole('dialog').count()).toBe(0)

  const [one, two] = [await desk.open(renata, '/tickets'), await desk.open(tomas, '/tickets')]
  const offerTo = (who: typeof one) => who.byRole('region', 'Ticket que te ofrecen')
  await waits('¿Tienen lugar para cuatro el sábado? Una niña es alérgica a las nueces.', 'Beatriz Novais')
  await offerTo(one).waitFor()
  await one.expectText('Beatriz Novais', offerTo(one))
  await one.expectText(/te toca el turno · con este llevarías 1/, offerTo(one))
  expect(await offerTo(two).count()).toBe(0)
  // The supervisor's page says who is asked.
  await ana.page.goto(new URL('/live', ana.page.url()).href)
  await ana.expectText('Se ofrece a Renata Figueira')
  await ana.takeScreenshot('live-offered')
  await one.checkAccessibility()
  await one.takeScreenshot('offer')
  // Enter does nothing, because people are typing; Alt A accepts.
  await one.page.keyboard.press('Enter')
  expect(await offerTo(one).count()).toBe(1)
  await one.page.keyboard.press('Alt+a')
  await one.page.waitForURL(/\/tickets\/.+/)
  await one.expectText(/Recado se lo ofreció a Renata Figueira, y lo aceptó/)
  expect(await offerTo(one).count()).toBe(0)

  // The next one is for the colleague, who lets it run out: it comes to the first, above what is being typed.
  await one.page.setViewportSize(phoneViewport)
  await waits('Oi! Consigo pagar amanhã?', 'Aline Rezende')
  await offerTo(two).waitFor()
  h.clock.advance(240_000)
  await h.server.switchboard.timers.poll()
  await two.expectText('Pasó a Renata Figueira')
  await offerTo(one).waitFor()
  await one.takeScreenshot('offer-phone-conversation')
  await one.page.goto(new URL('/tickets', one.page.url()).href)
  await offerTo(one).waitFor()
  await one.checkAccessibility()
  await one.takeScreenshot('offer-phone')
  // Pass and take a break.
  await one.click('Más opciones', 'button', offerTo(one))
  await one.click('Pasar y pausar', 'menuitem')
  await one.expectText(/^En pausa desde las/)
  expect(await offerTo(one).count()).toBe(0)
})
