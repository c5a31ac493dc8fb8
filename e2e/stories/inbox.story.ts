import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const focusedRow = (ana: Visitor) => ana.page.locator('[data-ticket] :focus').getAttribute('aria-label')
const rowNames = (ana: Visitor) => ana.page.locator('[data-ticket] [data-opener]').allTextContents()
const row = (ana: Visitor, name: string) => ana.page.locator('[data-ticket]').filter({ hasText: name })

test('sets priorities and pins tickets by keyboard, in every browser of the user', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  for (const name of ['Bruno Tavares', 'Paz Iturralde', 'Iván Kowalczyk']) {
    const { id } = await d.newTicket('¿Hay lugar el sábado?', name)
    await d.accept(agent, id)
    desk.server().clock.advance(1000)
  }
  const ana = await desk.open(agent, '/tickets')
  const other = await desk.open(agent, '/tickets')
  const { keyboard } = ana.page
  await ana.expectText('Bruno Tavares')
  await keyboard.press('ArrowDown')
  await expect.poll(() => focusedRow(ana)).toContain('Iván Kowalczyk')
  await keyboard.press('j')
  await keyboard.press('j')
  await expect.poll(() => focusedRow(ana)).toContain('Bruno Tavares')
  await keyboard.press('p')
  await ana.dialog.getByRole('button', { name: 'Normal' }).and(ana.page.locator(':focus')).waitFor()
  await ana.checkAccessibility()
  await keyboard.press('1')
  await expect.poll(() => focusedRow(ana)).toContain('Prioridad urgente')
  // The focus stays on the row, so that the next key acts on it. The row moves when the focus leaves the list.
  await keyboard.press('f')
  await expect.poll(() => focusedRow(ana)).toContain('Fijado')
  await ana.page.locator('[data-ticket] :focus').blur()
  await expect.poll(() => rowNames(ana)).toEqual(['Bruno Tavares', 'Iván Kowalczyk', 'Paz Iturralde'])
  await expect.poll(() => rowNames(other)).toEqual(['Bruno Tavares', 'Iván Kowalczyk', 'Paz Iturralde'])
  await row(other, 'Bruno Tavares').getByTitle('Prioridad urgente').waitFor()
  await ana.takeScreenshot('inbox-priority-and-pin')
  await ana.checkAccessibility()

  // In the order by priority, unpinned: urgent first, low last.
  await row(other, 'Iván Kowalczyk').locator('[data-opener]').click()
  await other.page.getByRole('button', { name: 'Más acciones' }).click()
  await other.page.getByRole('menuitem', { name: 'Prioridad: Normal' }).click()
  await other.dialog.getByRole('button', { name: 'Baja' }).click()
  await other.expectText(/cambió la prioridad a baja/)
  await row(ana, 'Bruno Tavares').locator('[data-opener]').focus()
  await keyboard.press('f')
  await ana.page.getByRole('button', { name: /^Orden/ }).click()
  await ana.page.getByRole('menuitem', { name: 'Por prioridad' }).click()
  await expect.poll(() => rowNames(ana)).toEqual(['Bruno Tavares', 'Paz Iturralde', 'Iván Kowalczyk'])
})

test('snoozes a ticket by keyboard; it comes back with its note when the customer writes', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  const { customer, id } = await d.newTicket('¿Me esperan hasta el viernes?', 'Sonia Marchetti')
  await d.accept(agent, id)
  const ana = await desk.open(agent, '/tickets')
  const { keyboard } = ana.page
  await ana.expectText('Sonia Marchetti')
  await keyboard.press('ArrowDown')
  await expect.poll(() => focusedRow(ana)).toContain('Sonia Marchetti')
  await keyboard.press('h')
  await ana.dialog.getByRole('textbox', { name: 'Hasta cuándo' }).and(ana.page.locator(':focus')).waitFor()
  await ana.takeScreenshot('inbox-snooze')
  await ana.checkAccessibility()
  await ana.dialog.getByRole('textbox', { name: /Para qué/ }).fill('Llamar por la seña')
  await ana.dialog.getByRole('textbox', { name: 'Hasta cuándo' }).fill('en 3 h')
  await keyboard.press('Enter')
  await ana.expectToast('Ticket pospuesto')
  await ana.expectText('No tienes tickets asignados')
  await ana.page.getByRole('tab', { name: /^Pospuestos/ }).click()
  await row(ana, 'Sonia Marchetti').getByText('Llamar por la seña').waitFor()
  await ana.takeScreenshot('inbox-snoozed')
  await ana.checkAccessibility({ toasts: true })
  await customer.says('Ya pagué')
  await ana.page.getByRole('tab', { name: /^Asignados/ }).click()
  await row(ana, 'Sonia Marchetti').getByText('Volvió: Llamar por la seña').waitFor()
  await row(ana, 'Sonia Marchetti').locator('[data-opener]').click()
  await ana.expectHidden('Volvió: Llamar por la seña')
})

test('empties an inbox of 30 by keyboard, with an undo and a report of what was refused', async () => {
  const d = await openDesk(desk.server())
  const queue = await d.createQueue('Ventas')
  const agent = await d.createUser('user', [queue], 'enabled')
  const ids: number[] = []
  for (let i = 1; i <= 30; i++) {
    const { id } = await d.newTicket('Gracias', `Cliente ${String(i).padStart(2, '0')}`)
    await d.accept(agent, id)
    ids.push(id)
    desk.server().clock.advance(1000)
  }
  const ana = await desk.open(agent, '/tickets')
  const { keyboard } = ana.page
  await ana.expectText('Cliente 30')
  await keyboard.press('ArrowDown')
  await expect.poll(() => focusedRow(ana)).toContain('Cliente 30')
  // X checks a row, Shift and an arrow the next one too. The actions take the place of the conversation.
  await keyboard.press('x')
  await keyboard.press('Shift+ArrowDown')
  await ana.expectText('2 tickets elegidos')
  await ana.takeScreenshot('inbox-selection')
  await ana.checkAccessibility()
  await keyboard.press('h')
  await ana.dialog.getByRole('textbox', { name: 'Hasta cuándo' }).fill('en 3 h')
  await keyboard.press('Enter')
  await ana.expectText('2 pospuestos')
  await expect.poll(() => ana.page.getByRole('tab', { name: /^Asignados/ }).textContent()).toContain('28')
  await ana.page.getByRole('button', { name: 'Deshacer los 2' }).waitFor()
  await keyboard.press('Control+z')
  await ana.expectText('Deshecho: 2 tickets volvieron a como estaban')
  await expect.poll(() => ana.page.getByRole('tab', { name: /^Asignados/ }).textContent()).toContain('30')

  // A colleague takes one away in the meantime: it is refused and named.
  await keyboard.press('ArrowDown')
  await ana.page.locator('[data-ticket] :focus').waitFor()
  await keyboard.press('Control+a')
  await ana.expectText('30 tickets elegidos')
  await d.putTicket(d.admin, ids[0] as number, { userId: d.admin.id })
  await keyboard.press('e')
  await keyboard.press('Enter')
  await ana.expectText('29 resueltos, 1 rechazado')
  await ana.expectText('1 sigue elegido')
  await ana.takeScreenshot('inbox-selection-result')
  await ana.checkAccessibility()
  await expect.poll(() => ana.page.getByRole('tab', { name: /^Asignados/ }).textContent()).toContain('0')
})

test('removes the rows under the pointer when a batch ends', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  for (const name of ['Bruno Tavares', 'Paz Iturralde', 'Iván Kowalczyk']) {
    const { id } = await d.newTicket('Gracias', name)
    await d.accept(agent, id)
  }
  const ana = await desk.open(agent, '/tickets')
  const { keyboard } = ana.page
  await row(ana, 'Paz Iturralde').hover()
  await keyboard.press('ArrowDown')
  await ana.page.locator('[data-ticket] :focus').waitFor()
  await keyboard.press('Control+a')
  await ana.expectText('3 tickets elegidos')
  await ana.page.evaluate(delayFrames)
  await keyboard.press('e')
  await keyboard.press('Enter')
  await ana.expectText('3 resueltos')
  await ana.expectText('No tienes tickets asignados')
})

/** In the browser: makes what waits for the next frame late, as on a busy machine. */
function delayFrames(): void {
  const { setTimeout } = globalThis
  const isFrame = (ms = 0) => ms > 0 && ms < 20
  const late = (run: () => void, ms?: number, ...args: unknown[]) => setTimeout(run, isFrame(ms) ? 400 : ms, ...args)
  Object.assign(globalThis, { setTimeout: late })
}

test('selects tickets on a phone with a long press, and acts at the foot of the list', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  for (const name of ['Aline Rezende', 'Bruno Tavares']) {
    const { id } = await d.newTicket('¿Hay lugar?', name)
    await d.accept(agent, id)
  }
  const ana = await desk.open(agent, '/tickets', { viewport: phoneViewport, touch: true })
  await row(ana, 'Aline Rezende')
    .locator('[data-opener]')
    .evaluate((opener) => {
      const longPress = { bubbles: true, cancelable: true, pointerType: 'touch' }
      opener.dispatchEvent(new PointerEvent('contextmenu', longPress))
    })
  await ana.expectText('1 elegido')
  await row(ana, 'Bruno Tavares').locator('[data-opener]').click()
  await ana.expectText('2 elegidos')
  await ana.takeScreenshot('inbox-selection-phone')
  await ana.checkAccessibility()
  await ana.page.getByRole('button', { name: 'Más', exact: true }).click()
  await ana.page.getByRole('button', { name: 'Prioridad…' }).click()
  await ana.dialog.getByRole('button', { name: 'Alta' }).click()
  await ana.expectText('2 con la prioridad nueva')
})
