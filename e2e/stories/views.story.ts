import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const rowNames = (ana: Visitor) => ana.page.locator('[data-ticket] [data-opener]').allTextContents()
const chip = (ana: Visitor, name: string) => ana.page.getByRole('button', { name: new RegExp(`^${name} `) })

test('saves a view of tickets, which another browser follows live and a link opens', async () => {
  const d = await openDesk(desk.server())
  const queue = await d.createQueue('Reservas')
  const agent = await d.createUser('user', [queue], 'enabled')
  for (const name of ['Leandro Salvatierra', 'Aline Rezende']) await d.newTicket('¿Hay lugar?', name)
  const first = await d.newTicket('¿Sigue en pie?', 'Verónica Duval')
  await d.putTicket(d.admin, first.id, { priority: 'urgent' })

  const ana = await desk.open(d.admin, '/tickets')
  await ana.page.getByRole('tab', { name: /^En espera/ }).click()
  await ana.expectText('Verónica Duval')
  await ana.page.getByRole('button', { name: /^Orden/ }).click()
  await ana.page.getByRole('menuitem', { name: 'Guardar como vista…' }).click()
  await ana.dialog.getByLabel('Nombre').fill('Urgentes')
  // What the list shows now is the first condition.
  await ana.dialog.getByRole('button', { name: 'Valor: En espera' }).waitFor()
  await ana.dialog.getByText('tickets ahora').waitFor()
  await ana.dialog.getByRole('button', { name: 'Condición', exact: true }).click()
  await ana.dialog.getByRole('button', { name: 'Valor: Elegir' }).click()
  await ana.page.getByRole('checkbox', { name: 'Urgente' }).check()
  await ana.page.keyboard.press('Escape')
  await ana.dialog.getByText(/^1 ?ticket ahora/).waitFor()
  await ana.dialog.getByRole('listitem').filter({ hasText: 'Verónica Duval' }).waitFor()
  await ana.dialog.getByRole('button', { name: 'Grupo', exact: true }).waitFor()
  await ana.takeScreenshot('views-editor')
  await ana.checkAccessibility()
  await ana.dialog.getByText('Todo el equipo').click()
  await ana.dialog.getByRole('button', { name: 'Guardar vista' }).click()
  await ana.expectToast('Vista guardada')
  await chip(ana, 'Urgentes').and(ana.page.locator('[aria-pressed="true"]')).waitFor()
  await expect.poll(() => rowNames(ana)).toEqual(['Verónica Duval'])
  await ana.takeScreenshot('views-strip')
  await ana.checkAccessibility({ toasts: true })

  // The agent gets the link; the count and the list follow what happens.
  const id = (await d.db.selectFrom('ticketViews').select('id').executeTakeFirstOrThrow()).id
  const beto = await desk.open(agent, `/tickets?view=${id}`)
  await expect.poll(() => rowNames(beto)).toEqual(['Verónica Duval'])
  const second = await d.newTicket('Ayuda, por favor', 'Gonzalo Peñalba')
  await d.putTicket(d.admin, second.id, { priority: 'urgent' })
  await chip(beto, 'Urgentes').getByText('2').waitFor()
  await expect.poll(async () => (await rowNames(beto)).sort()).toEqual(['Gonzalo Peñalba', 'Verónica Duval'])
  await d.putTicket(d.admin, first.id, { priority: 'normal' })
  await expect.poll(() => rowNames(beto)).toEqual(['Gonzalo Peñalba'])
  // The palette opens a view, too, from any screen.
  await beto.navigate('/contacts')
  await beto.page.keyboard.press('Control+k')
  await beto.page.keyboard.type('urgen')
  await beto.page.getByRole('option', { name: /^Urgentes/ }).waitFor()
  await beto.page.keyboard.press('Enter')
  await expect.poll(() => rowNames(beto)).toEqual(['Gonzalo Peñalba'])
  await beto.page.keyboard.press('Alt+1')
  await beto.page.getByRole('tab', { name: /^En espera/, selected: false }).click()
  await expect.poll(async () => (await rowNames(beto)).length).toBe(4)
})
