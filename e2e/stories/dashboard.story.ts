import { readFile } from 'node:fs/promises'
import { queuesApi } from '@recado/contract/queues'
import { expect, test } from 'vitest'
import { minutes } from '../../server/src/kernel/clock.ts'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('shows live counters, filters, tickets behind a figure and exports, by keyboard and on a phone', async () => {
  const h = desk.house()
  const d = await openDesk(h)
  // Hold the clock, and use one of two opposite time zones: in at least one no midnight is near.
  h.clock.hold()
  const hour = h.clock.now().getUTCHours()
  await d.set('timezone', hour > 4 && hour < 20 ? 'Europe/London' : 'Pacific/Auckland')
  const sales = await d.queue('Ventas')
  const { name, color } = sales
  await d.admin.call(queuesApi.update, {
    params: { id: sales.id },
    body: { name, color, answerGoal: 5, resolveGoal: 60 } as never,
  })
  const beto = await d.person('user', [sales])
  const nora = await d.person('admin')
  const { id } = await d.newTicket('hola', 'Sol Prado')
  await d.put(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  h.clock.forward(minutes(3))
  await d.accept(nora, id)
  h.clock.forward(minutes(6))
  await d.put(nora, id, { status: 'closed' })

  // Users without a dashboard start at their tickets.
  const agent = await desk.open(beto, '/')
  await agent.at('Tickets')

  // The queue's goal is shown in the list; the agent's own report is one click away.
  const { id: promised } = await d.newTicket('¿hay cupo?', 'Paz Luna')
  await d.put(d.admin, promised, { queueId: sales.id, status: 'pending', userId: null })
  await agent.press(/^Ver los que esperan/)
  await agent.page.locator('[data-goal=answer]').first().waitFor()
  await agent.the('link', 'Mis cifras').click()
  await agent.at('Mis cifras')

  const ana = await desk.open(d.admin, '/')
  await ana.at('Panel')
  const counters = ana.the('region', 'Contadores').first()
  const told = (name: string, value: string) =>
    counters.locator('div').filter({ hasText: name }).filter({ hasText: value }).first().waitFor()
  await told('Resueltos', '1')
  await told('Conversación', '6 min')
  await told('Espera', '3 min')
  await told('En espera', '1')
  await ana.the('region', 'Metas').getByText('100 %').waitFor()
  await ana.scan()
  await ana.shot('dashboard')

  // It updates live.
  const { id: next } = await d.newTicket('buenas', 'Luz Vega')
  await told('En espera', '2')
  await d.accept(nora, next)
  await told('En conversación', '1')
  await ana.press('En conversación: 1', 'button', counters)
  await ana.sees('En conversación ahora', ana.dialog)
  await ana.sees(nora.name, ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))
  await ana.row(nora.name).getByText('1', { exact: true }).first().waitFor()
  // A figure in a table opens its tickets too.
  await ana.press(`${nora.name}, Resueltos: 1`)
  await ana.sees(/^Sol Prado/, ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))

  // The definition of a figure.
  await ana.press('Qué es: Espera')
  await ana.sees(/^Promedio desde que hace falta una persona/)
  await ana.page.keyboard.press('Escape')

  // Without a filter, then seven days; the URL keeps it.
  await ana.page.getByText('Por periodo', { exact: true }).click()
  await ana.press('Filtrar')
  await ana.told('Selecciona un filtro')
  await ana.the('combobox', 'Periodo').selectOption('Últimos 7 días')
  await ana.press('Filtrar')
  await expect.poll(() => new URL(ana.page.url()).search).toBe('?days=7')
  await ana.the('combobox', 'Agente').selectOption(`Agente: ${nora.name}`)
  await expect.poll(() => new URL(ana.page.url()).search).toContain(`agent=${nora.id}`)
  await ana.page.reload()
  await told('Resueltos', '1')

  // Along the bars with the arrow keys, and into the tickets of the last one.
  await ana.the('combobox', 'Agente').selectOption('Agente: todos')
  await expect.poll(() => new URL(ana.page.url()).search).toBe('?days=7')
  const bars = ana.the('group', /flechas/)
  await bars.getByRole('button').first().focus()
  await ana.page.keyboard.press('End')
  await expect.poll(() => ana.page.evaluate(() => document.activeElement?.textContent)).toMatch(/3 llegaron/)
  await ana.page.keyboard.press('Enter')
  await ana.sees('Sol Prado', ana.dialog)
  await ana.scan()
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))

  // The previous period, unless switched off: drawn, labelled, announced with each bar, and in the table.
  const perDay = ana.the('region', 'Tickets por día')
  await perDay.getByText(/^Llegaron antes \(/).waitFor()
  await expect.poll(() => bars.getByRole('button').last().textContent()).toMatch(/3 llegaron, 1 resuelto; antes 0 \(/)
  await ana.press('Tickets por día: Ver como tabla')
  await perDay.getByRole('columnheader', { name: 'Llegaron antes' }).waitFor()
  await ana.press('Tickets por día: Ver como gráfico')
  await ana.page.getByRole('switch', { name: /^Comparar con/ }).press(' ')
  await ana.misses(perDay.getByText(/^Llegaron antes/))
  await ana.page.getByRole('switch', { name: /^Comparar con/ }).press(' ')
  await perDay.getByText(/^Llegaron antes \(/).waitFor()

  // The setting of a single card is in the URL too.
  await ana.the('region', 'Cuándo escriben').getByText('Espera', { exact: true }).click()
  await expect.poll(() => new URL(ana.page.url()).search).toBe('?days=7&heat=wait')
  await ana.page.reload()
  await ana.the('region', 'Cuándo escriben').getByText('espera promedio, por día y hora').waitFor()

  // The same data as a table and as a file.
  await ana.press('Tickets por agente: Ver como tabla')
  await ana.the('region', 'Tickets por agente').getByRole('table').waitFor()
  const [file] = await Promise.all([
    ana.page.waitForEvent('download'),
    ana.press('Tickets por agente: Guardar como CSV'),
  ])
  expect(await readFile(await file.path(), 'utf8')).toContain(`${nora.name};1\r\n`)

  // As a picture, and the people as a file.
  const [picture] = await Promise.all([
    ana.page.waitForEvent('download'),
    ana.press('Tickets por día: Guardar como PNG'),
  ])
  expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG')
  const [people] = await Promise.all([ana.page.waitForEvent('download'), ana.press('Agentes: Guardar como CSV')])
  expect(await readFile(await people.path(), 'utf8')).toMatch(new RegExp(`${nora.name};1;1;;6 min;`))

  // Wall mode: large, without customer data, and Escape leaves it.
  await ana.press('Pantalla de pared')
  const wall = ana.the('region', 'Pantalla de pared')
  await wall.getByText(nora.name).waitFor()
  expect(await wall.textContent()).not.toMatch(/Sol Prado|Luz Vega|Paz Luna/)
  await ana.scan()
  await ana.shot('dashboard-wall')
  await ana.page.keyboard.press('Escape')
  await ana.misses(wall)

  // The figure itself opens its tickets, and one of them opens.
  await ana.press('Resueltos: 1', 'button', counters)
  await ana.dialog.getByRole('link', { name: /^#/ }).click()
  await ana.sees('Sol Prado')

  const phone = await desk.open(d.admin, '/?days=30', { viewport: phoneViewport })
  await phone.at('Panel')
  await phone.sees('Cuándo escriben')
  const broad = () => phone.page.evaluate(() => document.documentElement.scrollWidth)
  await expect.poll(broad).toBeLessThanOrEqual(phoneViewport.width)
  // Name and presence are on a line of their own, however short they are.
  const there = phone.page.locator('tr').filter({ hasText: 'En línea' }).first()
  const [presence, figure] = await Promise.all(
    ['td[data-beside]', 'td[data-label="Ahora"]'].map((cell) => there.locator(cell).boundingBox()),
  )
  expect(figure?.y).toBeGreaterThan((presence?.y ?? 0) + 10)
  // The label of the third bar is not cut off at the edge.
  const bar = phone
    .the('group', /^Tickets por día. Usa las flechas/)
    .getByRole('button')
    .nth(2)
  await bar.focus()
  await phone.page.keyboard.press('ArrowRight')
  const said = await phone.page.locator('button:focus > :last-child').boundingBox()
  const card = await phone.the('region', 'Tickets por día').boundingBox()
  expect(said?.x).toBeGreaterThan(card?.x ?? 0)
  expect((said?.x ?? 0) + (said?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0))
  await phone.scan()
  await phone.shot('dashboard-phone')
})
