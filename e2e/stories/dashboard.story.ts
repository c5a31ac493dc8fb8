import { readFile } from 'node:fs/promises'
import { queuesApi } from '@recado/contract/queues'
import { expect, test } from 'vitest'
import { minutes } from '../../server/src/kernel/clock.ts'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('shows live counters, filters, the tickets behind a number and exports, by keyboard and on a phone', async () => {
  const h = desk.server()
  const d = await openDesk(h)
  // Freeze the clock, and use one of two opposite time zones, so that midnight is not near.
  h.clock.freeze()
  const hour = h.clock.now().getUTCHours()
  await d.setSetting('timezone', hour > 4 && hour < 20 ? 'Europe/London' : 'Pacific/Auckland')
  const sales = await d.createQueue('Ventas')
  const { name, color } = sales
  await d.admin.call(queuesApi.update, {
    params: { id: sales.id },
    body: { name, color, answerGoal: 5, resolveGoal: 60 } as never,
  })
  const beto = await d.createUser('user', [sales])
  const nora = await d.createUser('admin')
  const { id } = await d.newTicket('hola', 'Sol Prado')
  await d.putTicket(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  h.clock.advance(minutes(3))
  await d.accept(nora, id)
  h.clock.advance(minutes(6))
  await d.putTicket(nora, id, { status: 'closed' })

  // Users without a dashboard start at their tickets.
  const agent = await desk.open(beto, '/')
  await agent.expectHeading('Tickets')

  // The list shows the queue's goal; the agent's own report is one click away.
  const { id: promised } = await d.newTicket('¿hay cupo?', 'Paz Luna')
  await d.putTicket(d.admin, promised, { queueId: sales.id, status: 'pending', userId: null })
  await agent.click(/^Ver en espera/)
  await agent.page.locator('[data-goal=answer]').first().waitFor()
  await agent.byRole('link', 'Mis números').click()
  await agent.expectHeading('Mis números')

  const ana = await desk.open(d.admin, '/')
  await ana.expectHeading('Panel')
  const counters = ana.byRole('region', 'Contadores').first()
  const told = (name: string, value: string) =>
    counters.locator('div').filter({ hasText: name }).filter({ hasText: value }).first().waitFor()
  await told('Resueltos', '1')
  await told('Conversación', '6 min')
  await told('Espera', '3 min')
  await told('En espera', '1')
  await ana.byRole('region', 'Metas').getByText('100 %').waitFor()
  await ana.checkAccessibility()
  await ana.takeScreenshot('dashboard')

  // The counters update live.
  const { id: next } = await d.newTicket('buenas', 'Luz Vega')
  await told('En espera', '2')
  await d.accept(nora, next)
  await told('En conversación', '1')
  await ana.click('En conversación: 1', 'button', counters)
  await ana.expectText('En conversación ahora', ana.dialog)
  await ana.expectText(nora.name, ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await ana.row(nora.name).getByText('1', { exact: true }).first().waitFor()
  // A number in a table opens its tickets, too.
  await ana.click(`${nora.name}, Resueltos: 1`)
  await ana.expectText(/^Sol Prado/, ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))

  // The definition of a number can be opened.
  await ana.click('Qué es: Espera')
  await ana.expectText(/^Promedio desde que hace falta una persona/)
  await ana.page.keyboard.press('Escape')

  // The chart is first shown without a filter, then for seven days; the URL keeps the filter.
  await ana.page.getByText('Por periodo', { exact: true }).click()
  await ana.click('Filtrar')
  await ana.expectAndCloseToast('Selecciona un filtro')
  await ana.byRole('combobox', 'Periodo').selectOption('Últimos 7 días')
  await ana.click('Filtrar')
  await expect.poll(() => new URL(ana.page.url()).search).toBe('?days=7')
  await ana.byRole('combobox', 'Agente').selectOption(`Agente: ${nora.name}`)
  await expect.poll(() => new URL(ana.page.url()).search).toContain(`agent=${nora.id}`)
  await ana.page.reload()
  await told('Resueltos', '1')

  // The arrow keys move along the bars, and the last bar opens its tickets.
  await ana.byRole('combobox', 'Agente').selectOption('Agente: todos')
  await expect.poll(() => new URL(ana.page.url()).search).toBe('?days=7')
  const bars = ana.byRole('group', /flechas/)
  await bars.getByRole('button').first().focus()
  await ana.page.keyboard.press('End')
  await expect.poll(() => ana.page.evaluate(() => document.activeElement?.textContent)).toMatch(/3 llegaron/)
  await ana.page.keyboard.press('Enter')
  await ana.expectText('Sol Prado', ana.dialog)
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))

  // Unless switched off, the previous period is drawn, labelled, announced with each bar, and in the table.
  const perDay = ana.byRole('region', 'Tickets por día')
  await perDay.getByText(/^Llegaron antes \(/).waitFor()
  await expect.poll(() => bars.getByRole('button').last().textContent()).toMatch(/3 llegaron, 1 resuelto; antes 0 \(/)
  await ana.click('Tickets por día: Ver como tabla')
  await perDay.getByRole('columnheader', { name: 'Llegaron antes' }).waitFor()
  await ana.click('Tickets por día: Ver como gráfico')
  await ana.page.getByRole('switch', { name: /^Comparar con/ }).press(' ')
  await ana.expectHidden(perDay.getByText(/^Llegaron antes/))
  await ana.page.getByRole('switch', { name: /^Comparar con/ }).press(' ')
  await perDay.getByText(/^Llegaron antes \(/).waitFor()

  // The URL also keeps the setting of a single card.
  await ana.byRole('region', 'Cuándo escriben').getByText('Espera', { exact: true }).click()
  await expect.poll(() => new URL(ana.page.url()).search).toBe('?days=7&heat=wait')
  await ana.page.reload()
  await ana.byRole('region', 'Cuándo escriben').getByText('espera promedio, por día y hora').waitFor()

  // Show the same data as a table, and export it as a file.
  await ana.click('Tickets por agente: Ver como tabla')
  await ana.byRole('region', 'Tickets por agente').getByRole('table').waitFor()
  const [file] = await Promise.all([
    ana.page.waitForEvent('download'),
    ana.click('Tickets por agente: Guardar como CSV'),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain(`${nora.name};1\r\n`)

  // Export the chart as a picture, and the people as a file.
  const [picture] = await Promise.all([
    ana.page.waitForEvent('download'),
    ana.click('Tickets por día: Guardar como PNG'),
  ])
  expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG')
  const [people] = await Promise.all([ana.page.waitForEvent('download'), ana.click('Agentes: Guardar como CSV')])
  expect(await readFile(await people.path(), 'utf8')).toMatch(new RegExp(`${nora.name};1;1;;6 min;`))

  // The wall display is large and has no customer data; Escape leaves it.
  await ana.click('Pantalla para TV')
  const wall = ana.byRole('region', 'Pantalla para TV')
  await wall.getByText(nora.name).waitFor()
  expect(await wall.textContent()).not.toMatch(/Sol Prado|Luz Vega|Paz Luna/)
  await ana.checkAccessibility()
  await ana.takeScreenshot('dashboard-wall')
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(wall)

  // The number opens the list of its tickets, and a ticket of the list can be opened.
  await ana.click('Resueltos: 1', 'button', counters)
  await ana.dialog.getByRole('link', { name: /^#/ }).click()
  await ana.expectText('Sol Prado')

  const phone = await desk.open(d.admin, '/?days=30', { viewport: phoneViewport })
  await phone.expectHeading('Panel')
  await phone.expectText('Cuándo escriben')
  const broad = () => phone.page.evaluate(() => document.documentElement.scrollWidth)
  await expect.poll(broad).toBeLessThanOrEqual(phoneViewport.width)
  // Name and presence are on separate rows of text, however short they are.
  const there = phone.page.locator('tr').filter({ hasText: 'En línea' }).first()
  // Both are measured at the same moment, because the sections above may still grow.
  const distance = await there.evaluate((row) => {
    const topOf = (cell: string) => row.querySelector(cell)?.getBoundingClientRect().top ?? 0
    return topOf('td[data-label="Ahora"]') - topOf('td[data-beside]')
  })
  expect(distance).toBeGreaterThan(10)
  // The label of the third bar is not cut off at the edge.
  const bar = phone
    .byRole('group', /^Tickets por día. Usa las flechas/)
    .getByRole('button')
    .nth(2)
  await bar.focus()
  await phone.page.keyboard.press('ArrowRight')
  const said = await phone.page.locator('button:focus > :last-child').boundingBox()
  const card = await phone.byRole('region', 'Tickets por día').boundingBox()
  expect(said?.x).toBeGreaterThan(card?.x ?? 0)
  expect((said?.x ?? 0) + (said?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0))
  await phone.checkAccessibility()
  await phone.takeScreenshot('dashboard-phone')
})
