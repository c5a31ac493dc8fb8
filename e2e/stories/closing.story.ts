import type { Queue } from '@recado/contract/queues'
import { toRateOfThree } from '@recado/contract/text/rating-scale'
import { expect, test } from 'vitest'
import { type Desk, openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const reason = (ana: Visitor, name: string) => ana.dialog.getByRole('radio', { name: new RegExp(`^${name}`) })
const tickets = (ana: Visitor, name: string) =>
  ana.page.locator('[data-ticket] [data-opener]').filter({ hasText: name })

const closing = {
  reasonRequired: true,
  reasons: ['Viaje confirmado', 'Consulta respondida', 'No quedaba lugar', 'Dejó de responder', 'Precio'].map(
    (name) => ({
      name,
    }),
  ),
  fields: [
    { name: 'Salida', kind: 'choice', required: true, choices: ['Lancha y fogón', 'Caminata'] },
    { name: 'Personas', kind: 'number', required: true },
    { name: 'Pagó la seña', kind: 'yesNo', required: false },
  ],
}
/** Each section of the dashboard loads when it scrolls into view. */
async function showSection(ana: Visitor, name: string) {
  const card = ana.byRole('region', name)
  await expect
    .poll(async () => {
      await ana.page.locator('[data-unseen]').evaluateAll(([first]) => first?.scrollIntoView())
      return card.count()
    })
    .toBe(1)
  await card.scrollIntoViewIfNeeded()
  return card
}
async function createQueue(d: Desk, name: string, color: string, form: object): Promise<Queue> {
  return (await d.admin.request<Queue>('POST', '/queue', { name, color, closing: form })).body
}
async function createTickets(d: Desk, queue: { id: number }, names: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) {
    const { id } = await d.newTicket('¿Hay lugar?', name)
    await d.putTicket(d.admin, id, { queueId: queue.id, status: 'pending', userId: null })
    await d.accept(d.admin, id)
    ids.push(id)
  }
  return ids
}

test('a queue says what is asked when its tickets are resolved', async () => {
  const d = await openDesk(desk.server())
  const queue = await createQueue(d, 'Excursiones', '#2f9e44', { reasons: [], fields: [] })
  const ana = await desk.open(d.admin, '/queues')
  const open = async () => {
    await ana.page.getByText('Excursiones', { exact: true }).first().click()
    await ana.click('Cierre', 'tab', ana.dialog)
  }
  await open()
  for (const [i, name] of ['Viaje confirmado', 'Precio', 'Dejó de responder'].entries()) {
    await ana.click('Agregar motivo', 'button', ana.dialog)
    await ana.fill(`Motivo ${i + 1}`, name, ana.dialog)
  }
  await ana.click('Subir Motivo 3', 'button', ana.dialog)
  await ana.dialog.getByRole('switch', { name: 'Pedir siempre un motivo' }).press('Space')
  await ana.click('Agregar dato', 'button', ana.dialog)
  await ana.fill('Dato 1', 'Salida', ana.dialog)
  await ana.selectOption('Tipo del dato 1', 'Opciones')
  const choices = ana.dialog.getByLabel('Opciones', { exact: true })
  for (const choice of ['Lancha y fogón', 'Caminata']) {
    await choices.fill(choice)
    await choices.press('Enter')
  }
  await ana.takeScreenshot('closing-queue-tab')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectToast('Cola guardada')
  const { body } = await d.admin.request<Queue>('GET', `/queue/${queue.id}`)
  expect(body.closing).toMatchObject({
    reasonRequired: true,
    reasons: [{ name: 'Viaje confirmado' }, { name: 'Dejó de responder' }, { name: 'Precio' }],
    fields: [{ name: 'Salida', kind: 'choice', choices: ['Lancha y fogón', 'Caminata'] }],
  })
})

test('says goodbye to many customers only if that is switched on', async () => {
  const d = await openDesk(desk.server())
  const queue = await createQueue(d, 'Reservas', '#1971c2', { reasons: [], fields: [] })
  await d.db.updateTable('queues').set({ complationMessage: '¡Hasta pronto!' }).where('id', '=', queue.id).execute()
  await d.admin.request('PUT', '/settings/userRating', { value: 'enabled' })
  const ids = await createTickets(d, queue, ['Aline Rezende', 'Wren Castellane', 'Oda Brandvold'])
  const { contactId } = await d.showTicket(ids[2] as number)
  await d.db.updateTable('contacts').set({ disableBot: true }).where('id', '=', contactId).execute()
  const ana = await desk.open(d.admin, '/tickets')
  await tickets(ana, 'Aline').press('x')
  await tickets(ana, 'Wren').press('x')
  await tickets(ana, 'Oda').press('x')
  await tickets(ana, 'Oda').press('Shift+E')
  await ana.expectText('Resolver 3 tickets', ana.dialog)
  await ana.dialog.getByRole('button', { name: 'Resolver' }).and(ana.page.locator(':focus')).waitFor()
  await ana.expectText('Los clientes no reciben ningún mensaje.', ana.dialog)
  await ana.dialog.getByRole('switch', { name: 'Pedir calificación' }).waitFor()
  await ana.dialog.getByRole('switch', { name: 'Enviar la despedida' }).press('Space')
  await ana.expectText('Los mensajes salen cuando ya no se puede deshacer.', ana.dialog)
  await ana.takeScreenshot('closing-many-farewell')
  await ana.checkAccessibility()
  await ana.click('Resolver', 'button', ana.dialog)
  await ana.expectText('3 resueltos')
  await ana.expectText('1 cliente no recibe mensaje')
  await ana.expectText('El contacto no recibe mensajes automáticos.')
  await ana.takeScreenshot('closing-many-farewell-result')
  await ana.checkAccessibility()
  const farewells = await d.db
    .selectFrom('messages')
    .select(['body', 'state'])
    .where('ticketId', 'in', ids)
    .where('bot', 'is not', null)
    .execute()
  expect(farewells).toEqual([1, 2].map(() => ({ body: '¡Hasta pronto!', state: 'queued' })))
})

test('asks for the reason and the fields before a ticket is resolved, by mouse, keyboard and for many', async () => {
  const d = await openDesk(desk.server())
  const queue = await createQueue(d, 'Excursiones', '#2f9e44', closing)
  const names = ['Carolina Peñaflor', 'Rosalind Achterberg', 'Aline Rezende', 'Gonzalo Peñalba']
  const ids = await createTickets(d, queue, names)
  const reasonsOf = async () => (await Promise.all(ids.map((id) => d.showTicket(id)))).map((t) => t.closingReason?.name)
  const ana = await desk.open(d.admin, '/tickets')

  // With the mouse: what is missing is named, and the ticket stays open.
  await tickets(ana, 'Carolina').click()
  await ana.click('Resolver')
  await ana.dialog.getByText('Viaje confirmado').click()
  await ana.fill('Personas', '4', ana.dialog)
  await ana.click('Resolver', 'button', ana.dialog)
  await ana.expectText('Falta este dato', ana.dialog)
  await ana.takeScreenshot('closing-dialog')
  await ana.checkAccessibility()
  expect(await reasonsOf()).toEqual([undefined, undefined, undefined, undefined])
  await ana.selectOption('Salida', 'Lancha y fogón')
  await ana.fill('Resumen para quien siga', 'Seña pedida', ana.dialog)
  await ana.click('Resolver', 'button', ana.dialog)
  await expect.poll(reasonsOf).toEqual(['Viaje confirmado', undefined, undefined, undefined])

  // With the keyboard: nothing of the reply is sent if the dialog is left; digits choose, Ctrl Enter resolves.
  await tickets(ana, 'Rosalind').click()
  const box = ana.page.getByRole('textbox', { name: 'Mensaje' })
  await box.fill('¡Buen viaje!')
  await ana.click('Más opciones de envío')
  await ana.click('Enviar y resolver', 'menuitem')
  await ana.dialog.waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.dialog.waitFor({ state: 'hidden' })
  expect(await box.inputValue()).toBe('¡Buen viaje!')
  await box.fill('')
  await box.press('Control+Enter')
  await ana.dialog.waitFor()
  await ana.page.keyboard.press('5')
  await expect.poll(() => reason(ana, 'Precio').isChecked()).toBe(true)
  await ana.selectOption('Salida', 'Caminata')
  await ana.fill('Personas', '2', ana.dialog)
  await ana.page.keyboard.press('Control+Enter')
  await expect.poll(reasonsOf).toEqual(['Viaje confirmado', 'Precio', undefined, undefined])

  // Once for many.
  await tickets(ana, 'Aline').press('x')
  await tickets(ana, 'Gonzalo').press('x')
  await ana.page.getByRole('button', { name: 'Resolver', exact: true }).last().click()
  await ana.expectText('Resolver 2 tickets', ana.dialog)
  await ana.dialog.getByText('Consulta respondida').click()
  await ana.selectOption('Salida', 'Caminata')
  await ana.fill('Personas', '1', ana.dialog)
  await ana.expectText('Los clientes no reciben ningún mensaje.', ana.dialog)
  await ana.takeScreenshot('closing-many')
  await ana.click('Resolver', 'button', ana.dialog)
  await expect.poll(reasonsOf).toEqual(['Viaje confirmado', 'Precio', 'Consulta respondida', 'Consulta respondida'])

  // The conversation says it, and so does the dashboard, which opens the tickets.
  const [first] = await Promise.all([d.showTicket(ids[0] as number)])
  await ana.page.goto(new URL(`/tickets/${first?.uuid}`, ana.page.url()).href)
  // Three changes and more are one row until it is opened.
  await ana.page
    .getByRole('button', { name: /cambios/ })
    .last()
    .click()
  await ana.expectText('Seña pedida')
  await ana.takeScreenshot('closing-thread')
  await ana.page.goto(new URL('/?days=3', ana.page.url()).href)
  const card = await showSection(ana, 'Motivos de cierre')
  await card.getByText('Consulta respondida').waitFor()
  await ana.takeScreenshot('closing-report')
  await ana.checkAccessibility()
  await card.getByRole('button', { name: /Viaje confirmado/ }).click()
  await ana.dialog.getByText('Carolina Peñaflor').waitFor()
})

test('shows ratings of each scale apart, with the NPS and the comments', async () => {
  const d = await openDesk(desk.server())
  const queue = await d.createQueue('Excursiones')
  const [ticketId] = await createTickets(d, queue, ['Carolina Peñaflor'])
  const rate = (scale: 5 | 10, score: number, comment = '') =>
    d.db
      .insertInto('userRatings')
      .values({
        ...{ companyId: d.company.id, ticketId: ticketId as number, userId: d.admin.id, queueId: queue.id },
        ...{ whatsappId: d.line.id, rate: toRateOfThree(scale, score), scale, score, comment, commentAskedId: null },
        createdAt: new Date(),
      })
      .execute()
  for (const score of [10, 10, 9, 8, 7, 3]) await rate(10, score)
  await rate(10, 9, 'El guía fue un encanto')
  await rate(5, 4)
  const ana = await desk.open(d.admin, '/?days=3')
  const card = await showSection(ana, 'Calificaciones')
  await card.getByText('NPS +43').waitFor()
  await card.getByText('de 5 · 1 respuesta').waitFor()
  await card.scrollIntoViewIfNeeded()
  await ana.takeScreenshot('rating-scales')
  await ana.checkAccessibility()
  await card.getByRole('button', { name: 'Ver los comentarios que pediste' }).click()
  await ana.expectText('El guía fue un encanto', ana.dialog)
  await ana.takeScreenshot('rating-comments')
})

test('asks on a phone in a sheet', async () => {
  const d = await openDesk(desk.server())
  const queue = await createQueue(d, 'Excursiones', '#2f9e44', closing)
  const [id] = await createTickets(d, queue, ['Carolina Peñaflor'])
  const { uuid } = await d.showTicket(id as number)
  const ana = await desk.open(d.admin, `/tickets/${uuid}`, { viewport: phoneViewport, touch: true })
  await ana.click('Resolver')
  await ana.dialog.getByText('Precio').click()
  await ana.takeScreenshot('closing-phone')
  await ana.checkAccessibility()
  await ana.selectOption('Salida', 'Caminata')
  await ana.fill('Personas', '2', ana.dialog)
  await ana.click('Resolver', 'button', ana.dialog)
  await expect.poll(async () => (await d.showTicket(id as number)).closingReason?.name).toBe('Precio')
  await ana.page.goto(new URL('/?days=3', ana.page.url()).href)
  const card = await showSection(ana, 'Motivos de cierre')
  await card.getByText('Precio').waitFor()
  await ana.takeScreenshot('closing-report-phone')
  await ana.page.goto(new URL('/queues', ana.page.url()).href)
  await ana.page.getByText('Excursiones', { exact: true }).first().click()
  await ana.click('Cierre', 'tab', ana.dialog)
  await ana.takeScreenshot('closing-queue-tab-phone')
})
