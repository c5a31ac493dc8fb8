import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import type { TestUser } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const words = (ana: Visitor) => ana.byRole('combobox', 'Mensaje').or(ana.byRole('textbox', 'Mensaje')).last()
const tray = (ana: Visitor) => ana.page.getByRole('region', { name: /^Pasos/ })

async function openCase() {
  const d = await openDesk(desk.server())
  const trips = await d.createQueue('Excursiones')
  const payments = await d.createQueue('Pagos')
  const lucia = await d.createUser('supervisor', [trips])
  const { customer, id } = await d.newTicket('¿Nos guardas el fogón para la noche?', 'Carolina Peñaflor')
  await d.putTicket(d.admin, id, { queueId: trips.id, status: 'pending', userId: null })
  await d.accept(lucia, id)
  const tag = async (name: string, color: string) =>
    (
      await d.db
        .insertInto('tags')
        .values({ companyId: d.company.id, name, color } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const waits = await tag('Espera seña', '#d9480f')
  const quoted = await tag('Presupuesto enviado', '#1098ad')
  const received = async () => (await customer.listMessages()).filter((m) => !m.fromCustomer).map((m) => m.body)
  const { uuid } = await d.showTicket(id)
  return { d, id, uuid, lucia, trips, payments, waits, quoted, received }
}

const saveMacro = (by: TestUser, over: object) => by.request<{ id: number }>('POST', '/macros', over)

test('prepares a macro after a slash, removes a step, and runs the others once the message is sent', async () => {
  const { d, id, uuid, lucia, payments, waits, quoted, received } = await openCase()
  const steps = [
    { kind: 'tags', add: [waits], remove: [quoted] },
    { kind: 'priority', priority: 'high' },
    { kind: 'queue', queueId: payments.id },
    { kind: 'snooze', until: 'tomorrow' },
  ]
  const message = 'Listo, {{firstName}}: te paso los datos para la seña.'
  await saveMacro(lucia, { name: 'Pedir la seña', shortcode: 'sena', message, steps })
  await saveMacro(d.admin, { name: 'No queda lugar', shortcode: 'sinlugar', audience: 'all', message: 'No queda.' })
  await d.admin.request('POST', '/quick-messages', { shortcode: 'senas', message: 'Datos para la seña', geral: true })
  const ana = await desk.open(lucia, `/tickets/${uuid}`)
  await words(ana).click()
  await ana.page.keyboard.type('/s')
  const list = ana.page.getByRole('listbox')
  await list.getByRole('option', { name: /sena Pedir la seña/, selected: true }).waitFor()
  await expect.poll(() => list.getByRole('option').count()).toBe(3)
  await ana.page.getByText('Listo, Carolina: te paso los datos para la seña.').first().waitFor()
  await ana.page.getByText('Pone Espera seña y quita Presupuesto enviado').last().waitFor()
  await ana.page.getByText('Pasa a Pagos').last().waitFor()
  await ana.takeScreenshot('macros-list')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Enter')
  await expect.poll(() => words(ana).inputValue()).toBe('Listo, Carolina: te paso los datos para la seña.')
  await tray(ana).getByText('Pasa a Pagos').waitFor()
  await ana.byRole('button', 'Enviar y 4 pasos más').waitFor()
  await tray(ana).getByRole('button', { name: 'Quitar: Prioridad alta' }).click()
  await ana.byRole('button', 'Enviar y 3 pasos más').waitFor()
  await ana.takeScreenshot('macros-tray')
  await ana.checkAccessibility()
  // The prepared steps survive a reload, and nothing has happened yet.
  await ana.page.reload()
  await ana.byRole('button', 'Enviar y 3 pasos más').waitFor()
  expect(await d.showTicket(id)).toMatchObject({ status: 'open', tags: [] })
  await words(ana).click()
  await ana.page.keyboard.press('Enter')
  await ana.expectToast('3 pasos hechos')
  await expect.poll(received).toEqual([expect.stringContaining('Listo, Carolina')])
  expect(await d.showTicket(id)).toMatchObject({
    ...{ queueId: payments.id, status: 'pending', priority: 'normal', tags: [{ id: waits }] },
    snooze: { wakesOnMessage: true },
  })
  await ana.page.getByRole('button', { name: 'Deshacer' }).click()
  await ana.expectToast('Pasos deshechos')
  expect(await d.showTicket(id)).toMatchObject({ status: 'open', userId: lucia.id, snooze: null, tags: [] })
})

test('takes the steps back with the message, and runs a macro without text by its key', async () => {
  const { d, id, uuid, lucia } = await openCase()
  await d.db.updateTable('users').set({ undoSeconds: 20 }).where('id', '=', lucia.id).execute()
  await saveMacro(lucia, {
    ...{ name: 'Urgente', shortcode: 'urgente', digit: 1 },
    steps: [
      { kind: 'priority', priority: 'urgent' },
      { kind: 'note', note: 'Revisar con {{firstName}}' },
    ],
  })
  await saveMacro(lucia, {
    ...{ name: 'Cierre', shortcode: 'cierre', message: '¡Gracias!' },
    steps: [{ kind: 'resolve' }],
  })
  const ana = await desk.open(lucia, `/tickets/${uuid}`)
  await words(ana).fill('/cierre')
  await ana.page.getByRole('option', { name: /cierre/ }).waitFor()
  await ana.page.keyboard.press('Enter')
  await ana.byRole('button', 'Enviar y 1 paso más').click()
  await ana.page.getByText(/con 1 paso más/).waitFor()
  await ana.page.getByRole('button', { name: 'Deshacer' }).click()
  await ana.byRole('button', 'Enviar y 1 paso más').waitFor()
  await expect.poll(() => words(ana).inputValue()).toBe('¡Gracias!')
  expect((await d.showTicket(id)).status).toBe('open')
  await tray(ana)
    .getByRole('button', { name: /^Quitar/ })
    .click()
  await words(ana).fill('')
  await ana.page.keyboard.press('Alt+Shift+Digit1')
  await ana.expectToast('2 pasos hechos')
  expect((await d.showTicket(id)).priority).toBe('urgent')
  const [note] = await d.db.selectFrom('ticketNotes').select('note').where('ticketId', '=', id).execute()
  expect(note).toEqual({ note: 'Revisar con Carolina' })
})

test('edits a macro beside a real ticket, and offers it in another browser at once', async () => {
  const { d, id, lucia, payments } = await openCase()
  const agent = await d.createUser('user', [payments])
  const beto = await desk.open(agent, '/quick-messages?tab=macros')
  await beto.expectText('Aquí verás tus macros')
  const ana = await desk.open(d.admin, '/quick-messages')
  await ana.page.getByText('Macros', { exact: true }).click()
  await ana.click('Nueva macro')
  await ana.dialog.getByLabel('Nombre').fill('Pasar a Pagos')
  await ana.dialog.getByLabel('Atajo').fill('pagos')
  await ana.dialog.getByLabel('Escribir').fill('Te paso con Pagos.')
  const addStep = async (name: string) => {
    await ana.dialog.getByRole('button', { name: 'Paso', exact: true }).click()
    await ana.page.getByRole('menuitem', { name }).click()
  }
  await addStep('Pasar a otra cola')
  await ana.dialog.getByRole('button', { name: 'Cola: Elegir' }).click()
  await ana.page.getByRole('radio', { name: 'Pagos' }).click()
  await addStep('Prioridad')
  await addStep('Posponer')
  await ana.dialog.getByText('Pagos, sin agente').waitFor()
  await ana.dialog.getByText('Prioridad alta').waitFor()
  await ana.takeScreenshot('macros-editor')
  await ana.checkAccessibility()
  expect(await d.showTicket(id)).toMatchObject({ status: 'open', userId: lucia.id })
  await ana.dialog.getByRole('button', { name: 'Subir: Posponer' }).click()
  await ana.dialog.getByLabel('Quién la usa').selectOption('all')
  await ana.dialog.getByRole('button', { name: 'Guardar' }).click()
  await ana.expectToast('Macro guardada')
  await ana.expectText(/Pasar a Pagos$/)
  await beto.expectText(/Pasar a Pagos$/)
  const [saved] = await d.db
    .selectFrom('macros')
    .select(['steps', 'audience'])
    .where('name', '=', 'Pasar a Pagos')
    .execute()
  expect(saved).toMatchObject({ audience: 'all' })
  expect(saved?.steps.map(({ kind }) => kind)).toEqual(['queue', 'snooze', 'priority'])
  await ana.takeScreenshot('macros-page')
  await ana.checkAccessibility({ toasts: true })
})

test('runs a macro on many selected tickets by one key, without its text, and undoes it', async () => {
  const { d, id, lucia, trips, payments } = await openCase()
  const other = await d.newTicket('¿Y el domingo?', 'Wren Castellane')
  await d.putTicket(d.admin, other.id, { queueId: trips.id, status: 'pending', userId: null })
  await d.accept(lucia, other.id)
  await saveMacro(lucia, {
    ...{ name: 'Cobrar después', shortcode: 'cobrar', message: 'Te paso con Pagos.' },
    steps: [
      { kind: 'priority', priority: 'high' },
      { kind: 'queue', queueId: payments.id },
    ],
  })
  await saveMacro(lucia, { name: 'Solo texto', shortcode: 'texto', message: '¡Gracias!' })
  const ana = await desk.open(lucia, '/tickets')
  await ana.expectText('Wren Castellane')
  await ana.page.keyboard.press('ArrowDown')
  await ana.page.locator('[data-ticket] :focus').waitFor()
  await ana.page.keyboard.press('x')
  await ana.page.keyboard.press('Shift+ArrowDown')
  await ana.expectText('2 tickets elegidos')
  await ana.takeScreenshot('macros-many-pane')
  await ana.page.keyboard.press('m')
  const choice = ana.dialog.getByRole('button', { name: /Cobrar después/ })
  await choice.and(ana.page.locator(':focus')).waitFor()
  await ana.expectText('sin el texto', ana.dialog)
  await ana.expectText('Prioridad alta · Pasa a Pagos', ana.dialog)
  expect(await ana.dialog.getByText('Solo texto').count()).toBe(0)
  await ana.takeScreenshot('macros-many')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Enter')
  await ana.expectText('2 con la macro aplicada')
  const show = () => Promise.all([d.showTicket(id), d.showTicket(other.id)])
  for (const ticket of await show()) expect(ticket).toMatchObject({ queueId: payments.id, priority: 'high' })
  expect((await other.customer.listMessages()).filter(({ body }) => body.includes('Te paso'))).toEqual([])
  await ana.click('Deshacer los 2')
  await ana.expectText('Deshecho: 2 tickets volvieron a como estaban')
  for (const ticket of await show()) expect(ticket).toMatchObject({ userId: lucia.id, priority: 'normal' })
})

test('shows the steps that wait for a failed message, runs them after a retry, and discards them', async () => {
  const { d, id, uuid, lucia, received } = await openCase()
  const { line } = d
  await saveMacro(lucia, {
    ...{ name: 'Urgente', shortcode: 'urgente', message: 'Ya lo veo.' },
    steps: [{ kind: 'priority', priority: 'urgent' }],
  })
  const ana = await desk.open(lucia, `/tickets/${uuid}`)
  const sendMacro = async () => {
    await words(ana).fill('/urgente')
    await ana.page.getByRole('option', { name: /urgente/ }).waitFor()
    await ana.page.keyboard.press('Enter')
    await ana.byRole('button', 'Enviar y 1 paso más').click()
    await ana.expectText('1 paso espera a que salga')
  }
  await line.setFaults({ failSends: 'blocked' })
  await sendMacro()
  await ana.takeScreenshot('macros-waiting')
  await ana.checkAccessibility()
  await ana.click('Descartar el paso')
  await ana.expectToast('Paso descartado')
  await ana.expectHidden('1 paso espera a que salga')
  await line.setFaults({ failSends: '' })
  await ana.click('Reintentar')
  await expect.poll(received).toHaveLength(1)
  await ana.expectHidden('No se envió: el cliente bloqueó la línea')
  expect((await d.showTicket(id)).priority).toBe('normal')
  await line.setFaults({ failSends: 'blocked' })
  await sendMacro()
  await line.setFaults({ failSends: '' })
  await ana.click('Reintentar')
  await expect.poll(async () => (await d.showTicket(id)).priority).toBe('urgent')
  await ana.expectHidden('1 paso espera a que salga')
})

test('works on a phone', async () => {
  const { d, id, uuid, lucia, payments } = await openCase()
  await saveMacro(lucia, {
    ...{ name: 'Pedir la seña', shortcode: 'sena', message: 'Te paso los datos.' },
    steps: [
      { kind: 'queue', queueId: payments.id },
      { kind: 'snooze', until: 'hours' },
    ],
  })
  const ana = await desk.open(lucia, `/tickets/${uuid}`, { viewport: phoneViewport })
  await words(ana).click()
  await ana.page.keyboard.type('/se')
  await ana.page.getByRole('option', { name: /sena/ }).waitFor()
  await ana.takeScreenshot('macros-list-phone')
  // What it would do comes in a sheet; from there one goes back to the list, or prepares it.
  await ana.page.getByRole('option', { name: /sena/ }).click()
  await ana.dialog.getByText('Pasa a Pagos').waitFor()
  await ana.takeScreenshot('macros-sheet-phone')
  await ana.checkAccessibility()
  await ana.click('Volver', 'button', ana.dialog)
  await ana.dialog.waitFor({ state: 'hidden' })
  await words(ana).fill('')
  await ana.click('Respuestas rápidas')
  await ana.dialog.getByRole('button', { name: /Pedir la seña/ }).waitFor()
  await ana.takeScreenshot('macros-sheet-list-phone')
  await ana.checkAccessibility()
  await ana.dialog.getByRole('button', { name: /Pedir la seña/ }).click()
  await ana.click('Preparar', 'button', ana.dialog)
  await tray(ana).getByText('Pasa a Pagos').waitFor()
  await expect.poll(() => words(ana).inputValue()).toBe('Te paso los datos.')
  await ana.takeScreenshot('macros-tray-phone')
  await ana.checkAccessibility()
  await ana.page.getByRole('button', { name: 'Enviar y 2 pasos más' }).click()
  await expect.poll(async () => (await d.showTicket(id)).queueId).toBe(payments.id)
  await ana.page.goto('/quick-messages?tab=macros')
  await ana.page.getByRole('button', { name: /Pedir la seña/ }).click()
  await ana.dialog.getByText('Pasos, en este orden').waitFor()
  await ana.takeScreenshot('macros-editor-phone')
  await ana.checkAccessibility()
})
