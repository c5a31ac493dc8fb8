import { plansApi } from '@recado/contract/plans'
import { queueOptionsApi } from '@recado/contract/queue-options'
import { queuesApi } from '@recado/contract/queues'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import type { TestUser } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const phone = (ana: Visitor) => ana.byRole('region', 'Conversación de prueba')
const rows = (ana: Visitor) => ana.byRole('list', 'Menú del bot').getByRole('listitem')
const lastAnswer = (ana: Visitor) => phone(ana).locator('[class*=bubble]:not([data-mine])').last()
const titles = async (ana: Visitor) =>
  (await rows(ana).locator('[class*=name]').allInnerTexts()).map((title) => title.trim())

const sendInPreview = async (ana: Visitor, text: string) => {
  const box = ana.byRole('complementary', 'Así lo ve tu cliente').getByRole('textbox', { name: 'Mensaje' })
  await box.fill(text)
  await box.press('Enter')
}
const add = async (ana: Visitor, button: Locator, title: string) => {
  await button.click()
  await ana.fill('Título', title, ana.dialog)
}
const queue = (admin: TestUser, name: string, color: string, more = {}) =>
  admin.call(queuesApi.create, { body: { name, color, orderQueue: null, greetingMessage: '', ...more } as never })
const option = (admin: TestUser, queueId: number, title: string, more = {}) =>
  admin.call(queueOptionsApi.create, { body: { queueId, parentId: null, title, message: '', ...more } as never })

test('creates a queue with its menu, with a live preview on the phone beside it', async () => {
  const company = await desk.server().createCompany()
  await queue(company.admin, 'Logística', '#f2c200', { orderQueue: 1 })
  const ana = await desk.open(company.admin, '/queues')
  await ana.expectText('Logística')
  await ana.click('Nueva cola')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Hay 1 campo por corregir', ana.dialog)
  await ana.fill('Nombre', 'Soporte', ana.dialog)
  await ana.fill('Código del color', '#F2C200', ana.dialog)
  await ana.expectText('Ese color ya lo usa la cola Logística. Elige otro.', ana.dialog)
  await ana.takeScreenshot('queue-form')
  await ana.checkAccessibility()
  await ana.fill('Código del color', '#1971c2', ana.dialog)
  await ana.fill('Saludo', 'Hola {{firstName}}. ¿Qué necesitas?', ana.dialog)
  // The help of the greeting and the phone beside it agree: with one queue and no menu it is not sent.
  await ana.expectText(/^No se envía: la línea tiene una sola cola y esta no tiene menú/, ana.dialog)
  await ana.expectText(/^Con una sola cola y sin menú, el saludo no se envía/, phone(ana))
  await ana.expectText('No hay un horario en uso: a cualquier hora recibe lo mismo.', ana.dialog)
  await ana.expectText(/^Solo los administradores verán sus tickets: todavía no hay agentes/, ana.dialog)

  await ana.click('Menú', 'tab', ana.dialog)
  await add(ana, ana.byRole('button', 'Agregar la primera opción'), 'Garantía')
  await ana.fill('Mensaje', '¿Qué pasó con tu compra?', ana.byRole('region', 'Opción 1', ana.dialog))
  await add(ana, ana.byRole('button', 'Agregar dentro de Garantía'), 'Cambiar el producto')
  await add(ana, ana.byRole('button', 'Opción', ana.dialog), 'Manuales')
  await ana.selectOption('Después', 'Responde y termina')
  await ana.expectText('“Manuales” termina sin decir nada: el cliente no sabrá que se acabó.', ana.dialog)
  await ana.takeScreenshot('queue-form-findings')
  await ana.checkAccessibility()
  await rows(ana)
    .getByRole('button', { name: /^1 Garantía/ })
    .click()
  await expect.poll(() => lastAnswer(ana).textContent()).toContain('¿Qué pasó con tu compra?')
  await expect.poll(() => phone(ana).textContent()).toContain('Hola Lucía. ¿Qué necesitas?')
  await ana.click('Ver “Manuales”')
  await ana.fill('Mensaje', 'Están en nuestra web.', ana.byRole('region', 'Opción 2', ana.dialog))
  await ana.expectHidden('1 advertencia antes de guardar', ana.dialog)
  await ana.expectText('Aquí termina la conversación', phone(ana))

  // By keyboard, an option is picked up, moved into the option above it, and out again.
  const grip = ana.byRole('button', 'Mover Manuales')
  await grip.press('Space')
  await grip.press('ArrowRight')
  await expect.poll(() => titles(ana)).toEqual(['Garantía', 'Cambiar el producto', 'Manuales'])
  await ana.expectText('Opción 1.2', ana.dialog)
  await grip.press('ArrowLeft')
  await grip.press('ArrowUp')
  await grip.press('Space')
  await expect.poll(() => titles(ana)).toEqual(['Manuales', 'Garantía', 'Cambiar el producto'])
  await ana.takeScreenshot('queue-form-menu')

  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cola creada')
  await ana.expectText('Soporte', ana.row('Soporte'))
  await ana.expectHidden('Sin menú', ana.row('Soporte'))
  await ana.takeScreenshot('queues')
  await ana.checkAccessibility()

  const made = (await company.admin.call(queuesApi.list)).find((one) => one.name === 'Soporte')
  expect(made).toMatchObject({ color: '#1971c2', orderQueue: 2 })
  const stored = await company.admin.call(queueOptionsApi.list, { query: { queueId: made?.id } })
  const parent = stored.find((one) => one.title === 'Garantía')
  expect(stored.map((one) => [one.title, one.option, one.parentId, one.leads])).toEqual(
    expect.arrayContaining([
      ['Manuales', 1, null, 'end'],
      ['Garantía', 2, null, 'person'],
      ['Cambiar el producto', 1, parent?.id, 'person'],
    ]),
  )
})

test('supports several opening ranges a day, and sends the closed text of the queue', async () => {
  const { admin } = await desk.server().createCompany()
  const { id } = await queue(admin, 'Soporte', '#1971c2')
  const ana = await desk.open(admin, '/queues')
  await ana.click('Editar Soporte')
  await ana.click('Horario', 'tab', ana.dialog)
  await ana.click('Agregar un tramo al lunes')
  await ana.fill('Lunes, tramo 2, desde', '09:00', ana.dialog)
  await ana.expectText('Se cruza con otro tramo del mismo día', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Hay 1 campo por corregir', ana.dialog)
  await ana.takeScreenshot('queue-form-hours')
  await ana.checkAccessibility()
  await ana.fill('Lunes, hasta', '12', ana.dialog)
  await ana.fill('Lunes, tramo 2, desde', '14', ana.dialog)
  await ana.fill('Lunes, tramo 2, hasta', '18', ana.dialog)
  await ana.click('Mensajes', 'tab', ana.dialog)
  await ana.fill('Fuera de horario', 'Volvemos mañana.', ana.dialog)
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cola guardada')
  const saved = await admin.call(queuesApi.show, { params: { id } })
  expect(saved.outOfHoursMessage).toBe('Volvemos mañana.')
  expect(saved.schedules.filter((one) => one.weekdayEn === 'monday')).toMatchObject([
    { startTime: '08:00', endTime: '12:00' },
    { startTime: '14:00', endTime: '18:00' },
  ])
})

test('rearranges a menu by mouse, deletes an option, and saves the menu as shown', async () => {
  const { admin } = await desk.server().createCompany()
  const { id } = await queue(admin, 'Soporte', '#1971c2')
  for (const title of ['Uno', 'Dos', 'Tres']) await option(admin, id, title)
  const ana = await desk.open(admin, '/queues')
  await ana.click('Editar Soporte')
  await ana.click('Menú', 'tab', ana.dialog)
  await dragMenuRow(ana, 'Tres', 'Dos', 30)
  await expect.poll(() => titles(ana)).toEqual(['Uno', 'Tres', 'Dos'])
  await rows(ana).getByRole('button', { name: 'Más acciones de Dos' }).click()
  await ana.click('Eliminar opción', 'menuitem')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cola guardada')
  const stored = await admin.call(queueOptionsApi.list, { query: { queueId: id } })
  const uno = stored.find((one) => one.title === 'Uno')
  expect(stored.map((one) => [one.title, one.parentId])).toEqual(
    expect.arrayContaining([
      ['Uno', null],
      ['Tres', uno?.id],
    ]),
  )
  expect(stored).toHaveLength(2)
})

/** Drags a row by its grip over another row, with a horizontal offset. */
async function dragMenuRow(ana: Visitor, title: string, over: string, aside: number) {
  const middle = async (name: string) => {
    const { x, y, width, height } = await ana.stableBox(ana.byRole('button', `Mover ${name}`))
    return { x: x + width / 2, y: y + height / 2 }
  }
  const [from, to] = [await middle(title), await middle(over)]
  const { mouse } = ana.page
  await mouse.move(from.x, from.y)
  await mouse.down()
  await mouse.move(from.x + aside / 2, (from.y + to.y) / 2, { steps: 5 })
  await mouse.move(to.x + aside, to.y, { steps: 5 })
  await ana.page.locator('li[data-lifted]').waitFor()
  // Wait for the drop preview before releasing the button.
  for (const up of [1, 0, 1]) {
    await mouse.move(to.x + aside, to.y - up)
    await ana.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  }
  await mouse.up()
}

test('saves a phone conversation as a test, and reports when the menu behaves differently', async () => {
  const { admin } = await desk.server().createCompany()
  const { id } = await queue(admin, 'Soporte', '#1971c2', { greetingMessage: 'Hola.' })
  await option(admin, id, 'Garantía', { message: 'Tu garantía dura un año.' })
  const ana = await desk.open(admin, '/queues')
  await ana.click('Editar Soporte')
  await ana.click('Reiniciar')
  await sendInPreview(ana, '1')
  await ana.expectText(/^Tu garantía dura un año\./, phone(ana))
  await ana.click('Guardar como prueba')
  await ana.fill('Nombre de la prueba', 'Hasta la garantía')
  await ana.click('Agregar')
  await ana.click('Pruebas', 'tab', ana.dialog)
  await ana.expectText('Se guarda con la cola', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cola guardada')

  await ana.click('Editar Soporte')
  await ana.click('Menú', 'tab', ana.dialog)
  await rows(ana)
    .getByRole('button', { name: /^1 Garantía/ })
    .click()
  await ana.fill('Mensaje', 'Tu garantía dura dos años.', ana.byRole('region', 'Opción 1', ana.dialog))
  await ana.click(/^Pruebas/, 'tab', ana.dialog)
  await ana.expectText('No pasa', ana.dialog)
  await ana.expectText('A “1” responde otra cosa', ana.dialog)
  await ana.expectText('Tu garantía dura dos años.', ana.dialog)
  await ana.takeScreenshot('queue-form-tests')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cola guardada')
  await ana.click('Editar Soporte')
  await ana.click(/^Pruebas/, 'tab', ana.dialog)
  await ana.click('Ejecutar de nuevo')
  await ana.expectAndCloseToast('1 de 1 no pasan')
  await ana.click('Eliminar la prueba Hasta la garantía')
  await ana.confirm('Eliminar prueba')
  await ana.expectText(/^Todavía no hay pruebas/, ana.dialog)
})

test('explains limits of the plan and conflicts with other queues', async () => {
  const company = await desk.server().createCompany()
  await queue(company.admin, 'Ventas', '#2f9e44')
  const { db } = desk.server().wide()
  const body = { name: `Una cola ${company.id}`, users: 5, connections: 1, queues: 1, value: 10 } as never
  const plan = await (await desk.server().superUser()).call(plansApi.create, { body })
  await db.updateTable('companies').set({ planId: plan.id }).where('id', '=', company.id).execute()
  const ana = await desk.open(company.admin, '/queues', { viewport: phoneViewport })
  await ana.click('Nueva cola')
  await ana.fill('Nombre', 'Soporte', ana.dialog)
  await ana.takeScreenshot('queue-form-phone')
  await ana.checkAccessibility()
  desk.allowProblem('402 POST /queue')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Tu plan no permite más colas.')
  await ana.click('Menú', 'tab', ana.dialog)
  await add(ana, ana.byRole('button', 'Agregar la primera opción'), 'Garantía')
  await ana.takeScreenshot('queue-menu-phone')
  await ana.checkAccessibility()
  await ana.click('Cancelar', 'button', ana.dialog)
  await ana.confirm('Salir sin guardar')
  await ana.takeScreenshot('queues-phone')
  await ana.checkAccessibility()
})

test('reorders queues in the menu by drag, by key and from each queue’s menu', async () => {
  const { admin } = await desk.server().createCompany()
  await queue(admin, 'Ventas', '#2f9e44', { orderQueue: 1 })
  await queue(admin, 'Soporte', '#1971c2', { orderQueue: 2 })
  await queue(admin, 'Cobros', '#f08c00')
  const ana = await desk.open(admin, '/queues')
  await ana.expectText('Cobros')
  const inOrder = async () => (await admin.call(queuesApi.list)).map(({ name }) => name)
  const shown = async () =>
    (await ana.page.locator('tr[data-row] td:nth-child(2)').allInnerTexts()).map((x) => x.trim())
  const becomes = async (names: string[]) => {
    await expect.poll(inOrder).toEqual(names)
    await expect.poll(shown).toEqual(names)
  }
  const grip = ana.byRole('button', 'Mover Cobros')
  await grip.focus()
  await ana.page.keyboard.press('ArrowUp')
  await becomes(['Ventas', 'Cobros', 'Soporte'])
  await expect.poll(() => grip.evaluate((one) => document.activeElement === one)).toBe(true)
  // Two presses in a row move by two positions.
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown']) await ana.page.keyboard.press(key)
  await becomes(['Ventas', 'Soporte', 'Cobros'])
  await ana.page.keyboard.press('ArrowUp')
  await becomes(['Ventas', 'Cobros', 'Soporte'])
  const top = await ana.stableBox(ana.row('Ventas'))
  const before = ana.row('Ventas').and(ana.page.locator('tr[data-drop=before]'))
  await ana.drag(ana.byRole('button', 'Mover Soporte'), { x: 8, y: 8 }, { x: top.x + 300, y: top.y + 4 }, before)
  await becomes(['Soporte', 'Ventas', 'Cobros'])
  await ana.checkAccessibility()
})
