import { expect, test } from 'vitest'
import { minutes } from '../../server/src/kernel/clock.ts'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()

/** A dashboard card counts as loaded once its heading is visible. */
const cards = (one: Visitor) => one.page.locator('section > header h2').filter({ visible: true }).allTextContents()

test('shows a supervisor only the reports of their queues, and an agent only their own', async () => {
  const h = desk.server()
  const d = await openDesk(h)
  h.clock.freeze()
  const hour = h.clock.now().getUTCHours()
  await d.setSetting('timezone', hour > 4 && hour < 20 ? 'Europe/London' : 'Pacific/Auckland')
  const [sales, cash] = [await d.createQueue('Ventas'), await d.createQueue('Cobros')]
  const lead = await d.createUser('supervisor', [sales])
  const beto = await d.createUser('user', [sales])
  const caro = await d.createUser('user', [sales, cash])
  const done = async (name: string, queueId: number, by: typeof beto) => {
    const { id } = await d.newTicket('hola', name)
    await d.putTicket(d.admin, id, { queueId, status: 'pending', userId: null })
    h.clock.advance(minutes(1))
    await d.accept(by, id)
    h.clock.advance(minutes(2))
    await d.putTicket(by, id, { status: 'closed' })
  }
  await done('Sol Prado', sales.id, beto)
  await done('Luz Vega', sales.id, caro)
  await done('Paz Luna', cash.id, caro)

  const head = await desk.open(lead, '/tickets')
  await head.byRole('link', 'Mi equipo').click()
  await head.expectHeading('Mi equipo')
  const resolved = (one: Visitor) =>
    one
      .byRole('region', 'Contadores')
      .first()
      .getByRole('button', { name: /^Resueltos: / })
  await expect.poll(() => resolved(head).first().textContent()).toBe('2')
  await expect.poll(() => cards(head)).toContain('Agentes')
  await head.expectHidden('Contactos nuevos')
  // Only the supervisor's queues can be selected, and data of other queues appears nowhere.
  const choices = () => head.byRole('combobox', 'Cola').locator('option').allTextContents()
  await expect.poll(choices).toEqual(['Cola: todas', 'Cola: Ventas'])
  await head.expectHidden(/^Cobros$/)
  await resolved(head).first().click()
  await head.expectText(/^Luz Vega/, head.dialog)
  await head.expectText(/^Sol Prado/, head.dialog)
  await head.expectHidden(/^Paz Luna/, head.dialog)
  await head.page.keyboard.press('Escape')
  await head.expectHidden(head.page.getByRole('dialog'))
  // Below are the same sections as for the whole company, limited to the user's queues.
  const down = async (one: Visitor) => {
    await one.page
      .locator('main [class*=body]')
      .first()
      .evaluate((body) => body.scrollBy(0, 400))
    return cards(one)
  }
  const lower = [
    'Gente necesaria y gente en línea',
    'El día de cada agente',
    'Lo que resolvió el bot',
    'Calificaciones',
  ]
  const lowest = ['Volumen por etiqueta y por cola', 'Campañas', 'Salud de las líneas']
  for (const title of [...lower, ...lowest]) await expect.poll(() => down(head)).toContain(title)
  await head.expectHidden(/^Cobros$/)
  await head.checkAccessibility()
  // A URL with another queue is limited to the user's queues, too.
  await head.page.goto(`/?queue=${cash.id}`)
  await head.expectHeading('Mi equipo')
  await expect.poll(() => resolved(head).first().textContent()).toBe('0')
  await head.takeScreenshot('own-figures-lead')
  await head.checkAccessibility()

  const agent = await desk.open(beto, '/figures', { viewport: phoneViewport })
  await agent.expectHeading('Mis números')
  await expect.poll(() => resolved(agent).first().textContent()).toBe('1')
  expect(await cards(agent)).not.toContain('Tickets por agente')
  await agent.expectHidden(caro.name)
  expect(await agent.byRole('combobox', 'Agente').count()).toBe(0)
  const broad = () => agent.page.evaluate(() => document.documentElement.scrollWidth)
  await expect.poll(broad).toBeLessThanOrEqual(phoneViewport.width)
  // Two counters are side by side, each wide enough for its text.
  const counters = agent.byRole('region', 'Contadores').last().locator('> div')
  for (const one of await counters.all()) expect((await one.boundingBox())?.width).toBeGreaterThan(150)
  await agent.takeScreenshot('own-figures-phone')
  await agent.checkAccessibility()

  for (const title of ['El día de cada agente', 'Calificaciones']) await expect.poll(() => down(agent)).toContain(title)
  expect(await cards(agent)).not.toContain('Lo que resolvió el bot')
  await agent.checkAccessibility()

  // A link that an agent shares opens the company's page for an admin.
  const boss = await desk.open(d.admin, '/figures?days=7')
  await boss.expectHeading('Panel')
  await expect.poll(() => new URL(boss.page.url()).pathname + new URL(boss.page.url()).search).toBe('/?days=7')

  // The agent cannot open the company's page.
  await agent.page.goto('/')
  await agent.expectHeading('Tickets')
})
