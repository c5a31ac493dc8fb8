import { plansApi } from '@recado/contract/plans'
import { queueOptionsApi } from '@recado/contract/queue-options'
import { queuesApi } from '@recado/contract/queues'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import type { TestUser } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const phone = (ana: Visitor) => ana.the('region', 'Conversación de prueba')
const rows = (ana: Visitor) => ana.the('list', 'Menú del bot').getByRole('listitem')
const lastAnswer = (ana: Visitor) => phone(ana).locator('[class*=bubble]:not([data-mine])').last()
const titles = async (ana: Visitor) =>
  (await rows(ana).locator('[class*=name]').allInnerTexts()).map((title) => title.trim())

const say = async (ana: Visitor, text: string) => {
  const box = ana.the('complementary', 'Así lo ve tu cliente').getByRole('textbox', { name: 'Mensaje' })
  await box.fill(text)
  await box.press('Enter')
}
const add = async (ana: Visitor, button: Locator, title: string) => {
  await button.click()
  await ana.write('Título', title, ana.dialog)
}
const queue = (admin: TestUser, name: string, color: string, more = {}) =>
  admin.call(queuesApi.create, { body: { name, color, orderQueue: null, greetingMessage: '', ...more } as never })
const option = (admin: TestUser, queueId: number, title: string, more = {}) =>
  admin.call(queueOptionsApi.create, { body: { queueId, parentId: null, title, message: '', ...more } as never })

test('creates a queue with its menu, with a live preview on the phone beside it', async () => {
  const company = await desk.house().company()
  await queue(company.admin, 'Logística', '#f2c200', { orderQueue: 1 })
  const ana = await desk.open(company.admin, '/queues')
  await ana.sees('Logística')
  await ana.press('Nueva cola')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Falta 1 dato por corregir', ana.dialog)
  await ana.write('Nombre', 'Soporte', ana.dialog)
  await ana.write('Código del color', '#F2C200', ana.dialog)
  await ana.sees('Ese color ya lo usa la cola Logística. Elige otro.', ana.dialog)
  await ana.shot('queue-form')
  await ana.scan()
  await ana.write('Código del color', '#1971c2', ana.dialog)
  await ana.write('Saludo', 'Hola {{firstName}}. ¿Qué necesitas?', ana.dialog)
  await ana.sees('Sin menú el bot no dice nada: espera a una persona.', ana.dialog)

  await ana.press('Menú', 'tab', ana.dialog)
  await add(ana, ana.the('button', 'Añadir la primera opción'), 'Garantía')
  await ana.write('Mensaje', '¿Qué pasó con tu compra?', ana.the('region', 'Opción 1', ana.dialog))
  await add(ana, ana.the('button', 'Añadir dentro de Garantía'), 'Cambiar el producto')
  await add(ana, ana.the('button', 'Opción', ana.dialog), 'Manuales')
  await ana.choose('Después', 'Responde y termina')
  await ana.sees('“Manuales” termina sin decir nada: el cliente no sabrá que se acabó.', ana.dialog)
  await ana.shot('queue-form-findings')
  await ana.scan()
  await rows(ana)
    .getByRole('button', { name: /^1 Garantía/ })
    .click()
  await expect.poll(() => lastAnswer(ana).textContent()).toContain('¿Qué pasó con tu compra?')
  await expect.poll(() => phone(ana).textContent()).toContain('Hola Lucía. ¿Qué necesitas?')
  await ana.press('Ver “Manuales”')
  await ana.write('Mensaje', 'Están en nuestra web.', ana.the('region', 'Opción 2', ana.dialog))
  await ana.misses('1 aviso antes de guardar', ana.dialog)
  await ana.sees('Aquí termina la conversación', phone(ana))

  // By keyboard: picked up, moved into the option above it, and out again.
  const grip = ana.the('button', 'Mover Manuales')
  await grip.press('Space')
  await grip.press('ArrowRight')
  await expect.poll(() => titles(ana)).toEqual(['Garantía', 'Cambiar el producto', 'Manuales'])
  await ana.sees('Opción 1.2', ana.dialog)
  await grip.press('ArrowLeft')
  await grip.press('ArrowUp')
  await grip.press('Space')
  await expect.poll(() => titles(ana)).toEqual(['Manuales', 'Garantía', 'Cambiar el producto'])
  await ana.shot('queue-form-menu')

  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Cola creada')
  await ana.sees('Soporte', ana.row('Soporte'))
  await ana.shot('queues')
  await ana.scan()

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

test('supports several opening ranges a day, and sends a closed queue’s own text', async () => {
  const { admin } = await desk.house().company()
  const { id } = await queue(admin, 'Soporte', '#1971c2')
  const ana = await desk.open(admin, '/queues')
  await ana.press('Editar Soporte')
  await ana.press('Horario', 'tab', ana.dialog)
  await ana.press('Añadir un tramo al lunes')
  await ana.write('Lunes, tramo 2, desde', '09:00', ana.dialog)
  await ana.sees('Se cruza con otro tramo del mismo día', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Falta 1 dato por corregir', ana.dialog)
  await ana.shot('queue-form-hours')
  await ana.scan()
  await ana.write('Lunes, hasta', '12', ana.dialog)
  await ana.write('Lunes, tramo 2, desde', '14', ana.dialog)
  await ana.write('Lunes, tramo 2, hasta', '18', ana.dialog)
  await ana.press('Textos', 'tab', ana.dialog)
  await ana.write('Fuera de horario', 'Volvemos mañana.', ana.dialog)
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Cola guardada')
  const saved = await admin.call(queuesApi.show, { params: { id } })
  expect(saved.outOfHoursMessage).toBe('Volvemos mañana.')
  expect(saved.schedules.filter((one) => one.weekdayEn === 'monday')).toMatchObject([
    { startTime: '08:00', endTime: '12:00' },
    { startTime: '14:00', endTime: '18:00' },
  ])
})

test('rearranges a menu by mouse, deletes an option, and saves what was shown', async () => {
  const { admin } = await desk.house().company()
  const { id } = await queue(admin, 'Soporte', '#1971c2')
  for (const title of ['Uno', 'Dos', 'Tres']) await option(admin, id, title)
  const ana = await desk.open(admin, '/queues')
  await ana.press('Editar Soporte')
  await ana.press('Menú', 'tab', ana.dialog)
  await drag(ana, 'Tres', 'Dos', 30)
  await expect.poll(() => titles(ana)).toEqual(['Uno', 'Tres', 'Dos'])
  await rows(ana).getByRole('button', { name: 'Más acciones de Dos' }).click()
  await ana.press('Eliminar opción', 'menuitem')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Cola guardada')
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

/** Drags a row by its grip over another one, with a horizontal offset. */
async function drag(ana: Visitor, title: string, over: string, aside: number) {
  const middle = async (name: string) => {
    const { x, y, width, height } = await ana.placeOf(ana.the('button', `Mover ${name}`))
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
  const { admin } = await desk.house().company()
  const { id } = await queue(admin, 'Soporte', '#1971c2', { greetingMessage: 'Hola.' })
  await option(admin, id, 'Garantía', { message: 'Tu garantía dura un año.' })
  const ana = await desk.open(admin, '/queues')
  await ana.press('Editar Soporte')
  await ana.press('Reiniciar')
  await say(ana, '1')
  await ana.sees(/^Tu garantía dura un año\./, phone(ana))
  await ana.press('Guardar como prueba')
  await ana.write('Nombre de la prueba', 'Hasta la garantía')
  await ana.press('Añadir')
  await ana.press('Pruebas', 'tab', ana.dialog)
  await ana.sees('Se guarda con la cola', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Cola guardada')

  await ana.press('Editar Soporte')
  await ana.press('Menú', 'tab', ana.dialog)
  await rows(ana)
    .getByRole('button', { name: /^1 Garantía/ })
    .click()
  await ana.write('Mensaje', 'Tu garantía dura dos años.', ana.the('region', 'Opción 1', ana.dialog))
  await ana.press(/^Pruebas/, 'tab', ana.dialog)
  await ana.sees('No pasa', ana.dialog)
  await ana.sees('A “1” responde otra cosa', ana.dialog)
  await ana.sees('Tu garantía dura dos años.', ana.dialog)
  await ana.shot('queue-form-tests')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Cola guardada')
  await ana.press('Editar Soporte')
  await ana.press(/^Pruebas/, 'tab', ana.dialog)
  await ana.press('Correr de nuevo')
  await ana.told('1 de 1 no pasan')
  await ana.press('Eliminar la prueba Hasta la garantía')
  await ana.confirm('Eliminar prueba')
  await ana.sees(/^Todavía no hay pruebas/, ana.dialog)
})

test('explains limits of the plan and conflicts with other queues', async () => {
  const company = await desk.house().company()
  await queue(company.admin, 'Ventas', '#2f9e44')
  const { db } = desk.house().wide()
  const body = { name: `Una cola ${company.id}`, users: 5, connections: 1, queues: 1, value: 10 } as never
  const plan = await (await desk.house().superUser()).call(plansApi.create, { body })
  await db.updateTable('companies').set({ planId: plan.id }).where('id', '=', company.id).execute()
  const ana = await desk.open(company.admin, '/queues', { viewport: phoneViewport })
  await ana.press('Nueva cola')
  await ana.write('Nombre', 'Soporte', ana.dialog)
  await ana.shot('queue-form-phone')
  await ana.scan()
  desk.excuse('402 POST /queue')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Tu plan no permite más colas.')
  await ana.press('Menú', 'tab', ana.dialog)
  await add(ana, ana.the('button', 'Añadir la primera opción'), 'Garantía')
  await ana.shot('queue-menu-phone')
  await ana.scan()
  await ana.press('Cancelar', 'button', ana.dialog)
  await ana.confirm('Salir sin guardar')
  await ana.shot('queues-phone')
  await ana.scan()
})

test('reorders queues in the menu by drag, by key and from their menu', async () => {
  const { admin } = await desk.house().company()
  await queue(admin, 'Ventas', '#2f9e44', { orderQueue: 1 })
  await queue(admin, 'Soporte', '#1971c2', { orderQueue: 2 })
  await queue(admin, 'Cobros', '#f08c00')
  const ana = await desk.open(admin, '/queues')
  await ana.sees('Cobros')
  const inOrder = async () => (await admin.call(queuesApi.list)).map(({ name }) => name)
  const shown = async () =>
    (await ana.page.locator('tr[data-row] td:nth-child(2)').allInnerTexts()).map((x) => x.trim())
  const becomes = async (names: string[]) => {
    await expect.poll(inOrder).toEqual(names)
    await expect.poll(shown).toEqual(names)
  }
  const grip = ana.the('button', 'Mover Cobros')
  await grip.focus()
  await ana.page.keyboard.press('ArrowUp')
  await becomes(['Ventas', 'Cobros', 'Soporte'])
  await expect.poll(() => grip.evaluate((one) => document.activeElement === one)).toBe(true)
  // Two presses in a row move by two positions.
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown']) await ana.page.keyboard.press(key)
  await becomes(['Ventas', 'Soporte', 'Cobros'])
  await ana.page.keyboard.press('ArrowUp')
  await becomes(['Ventas', 'Cobros', 'Soporte'])
  const top = await ana.placeOf(ana.row('Ventas'))
  const before = ana.row('Ventas').and(ana.page.locator('tr[data-drop=before]'))
  await ana.drag(ana.the('button', 'Mover Soporte'), { x: 8, y: 8 }, { x: top.x + 300, y: top.y + 4 }, before)
  await becomes(['Soporte', 'Ventas', 'Cobros'])
  await ana.scan()
})
