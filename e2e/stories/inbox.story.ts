import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage } from '../browser.ts'
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
