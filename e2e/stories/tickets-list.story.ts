import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const stage = createStage()
const row = (who: Visitor, name: string) =>
  who.page.locator('[data-ticket]').filter({ has: who.page.getByText(name, { exact: true }) })
const tab = (who: Visitor, name: RegExp) => who.byRole('tab', name)
/** Moves the pointer away from the list, so that rows reorder again. */
const movePointerAway = (who: Visitor) => who.page.mouse.move(1000, 20)

async function openTeam() {
  const desk = await openDesk(stage.server())
  const [sales, support] = [await desk.createQueue('Ventas'), await desk.createQueue('Soporte')]
  const [ana, beto] = [await desk.createUser('user', [sales, support]), await desk.createUser('user', [sales, support])]
  return { desk, sales, support, ana, beto }
}
type Team = Awaited<ReturnType<typeof openTeam>>

/** A new customer writes and is assigned to a queue. */
async function receiveCustomer({ desk, sales }: Team, name: string, text = 'Hola') {
  const { customer, id } = await desk.newTicket(text, name)
  await desk.putTicket(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  return { customer, id }
}

/**
 * Beside a conversation the list is narrow: checks that the items of the list's toolbar do not overlap and are not cut
 * off.
 */
async function expectNoToolbarOverlap(who: Visitor) {
  for (const width of [768, 1024, 390, 1440]) {
    await who.page.setViewportSize({ width, height: 900 })
    const bar = who.byRole('group', 'Opciones de la lista')
    const controls = bar.locator('button, label').filter({ visible: true })
    await expect.poll(() => controls.count(), { message: `${width}` }).toBe(3)
    /** The largest overlap, in pixels, of a toolbar item with the next item or the edge. */
    const over = async () => {
      const boxes = await controls.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
      )
      const end = await bar.evaluate((one) => one.getBoundingClientRect().right)
      return Math.max(...boxes.map(({ right }, i) => right - (boxes[i + 1]?.left ?? end)))
    }
    await expect.poll(over, { message: `${width}` }).toBeLessThanOrEqual(0.5)
    await who.takeScreenshot(`tickets-list-${width}`)
  }
}

test('shows a new customer to both agents; one accepts first, and the other sees who accepted', async () => {
  const server = await openTeam()
  const [ana, beto] = await Promise.all([stage.open(server.ana), stage.open(server.beto)])
  for (const agent of [ana, beto]) {
    await agent.expectText('No tienes tickets asignados')
    await tab(agent, /^En espera/).click()
    await agent.expectText('Nadie espera en tus colas')
    await agent.expectText(/^Puede haber clientes sin cola: solo los ven los administradores/)
    await movePointerAway(agent)
  }
  // An agent without tickets is led to the waiting tickets.
  await tab(ana, /^Asignados/).click()
  await ana.checkAccessibility()
  const { customer } = await receiveCustomer(server, 'Lucía Campos', '¿A qué hora abren?')
  await ana.click('Ver en espera (1)')
  for (const agent of [ana, beto]) {
    await agent.expectText('¿A qué hora abren?', row(agent, 'Lucía Campos'))
    await tab(agent, /^En espera 1$/).waitFor()
  }
  // A pending ticket can be previewed without being marked as read, and can be accepted and resolved; it cannot be
  // opened.
  await row(ana, 'Lucía Campos').getByText('Lucía Campos').click()
  await ana.expectText('Solo lectura', ana.dialog)
  await ana.expectText(/¿A qué hora abren?/, ana.dialog)
  await ana.byRole('button', 'Resolver').waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  expect(ana.page.url()).toMatch(/\/tickets$/)
  expect((await server.desk.listTickets(server.ana, { status: 'pending' }))[0]).toMatchObject({ unreadMessages: 1 })
  const others = await ana.hoverAndFind(row(ana, 'Lucía Campos'), 'Transferir: Lucía Campos')
  await ana.byRole('button', 'Ver sin abrir: Lucía Campos').waitFor()
  await ana.byRole('button', 'Resolver: Lucía Campos').waitFor()
  const accept = ana.byRole('button', 'Aceptar a Lucía Campos')
  expect((await accept.boundingBox())?.height).toBeGreaterThanOrEqual(34)
  // The button and the row are measured at the same moment, because the row may move.
  const gap = await accept.evaluate(
    (below, above) => {
      if (!(above instanceof Element)) return -1
      return below.getBoundingClientRect().top - above.getBoundingClientRect().bottom
    },
    await others.elementHandle(),
  )
  expect(gap).toBeGreaterThanOrEqual(0)
  await ana.takeScreenshot('tickets-waiting')
  await ana.checkAccessibility()
  await movePointerAway(ana)

  // Both agents click "accept"; Beto's call leaves first but is slower.
  await beto.page.route('**/tickets/*', async (route) => {
    if (route.request().method() === 'PUT') await ana.page.waitForURL(/\/tickets\/.+/)
    await route.continue()
  })
  stage.allowProblem('409 PUT /tickets/')
  await beto.click('Aceptar a Lucía Campos')
  await ana.click('Aceptar a Lucía Campos')
  await ana.page.waitForURL(/\/tickets\/.+/)
  await tab(ana, /^Asignados 1$/).waitFor()
  await beto.expectAndCloseToast(`Lo tomó ${server.ana.name}`)
  await movePointerAway(beto)
  await beto.page.goto('/tickets')
  await tab(beto, /^En espera 0$/).waitFor()

  await customer.says('¿Hay alguien?')
  await ana.expectText('¿Hay alguien?', row(ana, 'Lucía Campos'))
  await beto.expectHidden(row(beto, 'Lucía Campos'))
})

test('transfers, resolves and reopens a ticket, with both agents seeing it', async () => {
  const server = await openTeam()
  const nobodys = await server.desk.createUser('user')
  const { id } = await receiveCustomer(server, 'Hernán Paz')
  await server.desk.accept(server.ana, id)
  const [ana, beto] = await Promise.all([stage.open(server.ana), stage.open(server.beto)])
  await row(ana, 'Hernán Paz').getByRole('link').click()
  await ana.page.waitForURL(/\/tickets\/.+/)
  await beto.expectText('No tienes tickets asignados')

  await ana.hoverAndClick(row(ana, 'Hernán Paz'), 'Transferir: Hernán Paz')
  await ana.expectText('Transferir ticket', ana.dialog)
  await ana.click('Transferir', 'button', ana.dialog)
  await ana.expectText('Elige una cola', ana.dialog)
  // The list of agents is short enough to choose from without a search; an agent without queues accepts tickets of any
  // queue.
  await ana.field('Agente', ana.dialog).click()
  await ana.click(nobodys.name, 'option')
  // A transfer to a person needs no queue, and can be undone.
  await ana.click('Transferir', 'button', ana.dialog)
  await ana.expectToast('Ticket transferido')
  expect(await server.desk.showTicket(id)).toMatchObject({ userId: nobodys.id, queue: { name: 'Ventas' } })
  await ana.click('Deshacer')
  await ana.expectAndCloseToast('Listo, se deshizo')
  await ana.page.waitForURL(/\/tickets\/.+/)
  expect(await server.desk.showTicket(id)).toMatchObject({ userId: server.ana.id, queue: { name: 'Ventas' } })
  await ana.hoverAndClick(row(ana, 'Hernán Paz'), 'Transferir: Hernán Paz')
  await ana.field('Agente', ana.dialog).click()
  await ana.click(nobodys.name, 'option')
  await ana.selectOption('Cola', 'Ventas')
  // A part of a name selects nobody; a full name selects its agent without a click.
  await ana.fill('Agente', server.beto.name.slice(0, 4), ana.dialog)
  await ana.page.keyboard.press('Tab')
  await expect.poll(() => ana.field('Agente', ana.dialog).inputValue()).toBe('')
  await ana.fill('Agente', server.beto.name, ana.dialog)
  await ana.page.keyboard.press('Tab')
  await ana.selectOption('Cola', 'Soporte')
  await ana.takeScreenshot('transfer')
  await ana.checkAccessibility()
  await ana.click('Transferir', 'button', ana.dialog)
  await ana.expectAndCloseToast('Ticket transferido')
  await ana.page.waitForURL(/\/tickets$/)
  await ana.expectText('No tienes tickets asignados')
  await ana.expectText('Elige un ticket para empezar')

  await beto.expectText('Soporte', row(beto, 'Hernán Paz'))
  await tab(beto, /^Asignados 1$/).waitFor()
  await row(beto, 'Hernán Paz').getByText(server.beto.name).waitFor()
  await row(beto, 'Hernán Paz').getByRole('link').click()
  const ticketUrl = await beto.page.waitForURL(/\/tickets\/.+/).then(() => beto.page.url())
  await beto.hoverAndClick(row(beto, 'Hernán Paz'), 'Resolver: Hernán Paz')
  await beto.page.waitForURL(/\/tickets$/)
  await beto.expectAndCloseToast('Ticket resuelto')
  await tab(beto, /^Asignados 0$/).waitFor()

  await tab(ana, /^Resueltos/).click()
  await movePointerAway(ana)
  await row(ana, 'Hernán Paz').waitFor()
  await tab(beto, /^Resueltos/).click()
  await beto.hoverAndClick(row(beto, 'Hernán Paz'), 'Reabrir: Hernán Paz')
  await beto.page.waitForURL(ticketUrl)
  await tab(beto, /^Asignados 1$/).waitFor()
  await ana.expectHidden(row(ana, 'Hernán Paz'))

  // Ana cannot open Beto's ticket.
  stage.allowProblem('404 GET /tickets/u/')
  await ana.page.goto(ticketUrl)
  await ana.expectAndCloseToast('No tienes acceso a ese ticket')
  await ana.page.waitForURL(/\/tickets$/)
})

test('lets an admin preview, search, filter and delete tickets', async () => {
  const server = await openTeam()
  const { id } = await receiveCustomer(server, 'Camila Souza', 'Quero um orçamento')
  await receiveCustomer(server, 'Martín Etcheverry')
  await server.desk.accept(server.ana, id)
  const boss = await stage.open(server.desk.admin)
  await row(boss, 'Camila Souza').waitFor()
  await boss.toggleSwitch('Ver todos')
  await boss.expectText('No tienes tickets asignados')
  await boss.page.reload()
  await boss.expectText('No tienes tickets asignados')
  await boss.toggleSwitch('Ver todos')
  await expectNoToolbarOverlap(boss)

  await boss.hoverAndClick(row(boss, 'Camila Souza'), 'Ver sin abrir: Camila Souza')
  await boss.expectText('Solo lectura', boss.dialog)
  await boss.expectText(/Quero um orçamento/, boss.dialog)
  expect(await boss.dialog.getByRole('textbox').count()).toBe(0)
  await boss.takeScreenshot('peek')
  await boss.checkAccessibility()
  await boss.page.keyboard.press('Escape')
  await boss.expectHidden(boss.page.getByRole('dialog'))

  await tab(boss, /^Buscar/).click()
  await boss.page.getByRole('searchbox').fill('ORÇAMENTO')
  await boss.expectHidden(row(boss, 'Martín Etcheverry'))
  await row(boss, 'Camila Souza').locator('mark').getByText('orçamento').waitFor()
  await boss.takeScreenshot('tickets-search')
  await expectNoToolbarOverlap(boss)
  await boss.checkAccessibility()
  await boss.page.getByRole('searchbox').fill('nada de nada')
  await boss.expectText('No encontramos nada')
  await boss.click('Borrar la búsqueda')
  await expect.poll(() => tab(boss, /^Abiertos$/).getAttribute('aria-selected')).toBe('true')

  await boss.click('Filtrar por cola: Todas las colas')
  await boss.page.getByRole('checkbox', { name: 'Soporte' }).check()
  await boss.expectText('Nada con este filtro')
  await boss.page.keyboard.press('Escape')
  await boss.click('Ver todas las colas')
  await row(boss, 'Camila Souza').getByRole('link').click()
  await boss.click('Más acciones')
  await boss.click('Eliminar ticket', 'menuitem')
  await boss.waitForRequests()
  await boss.confirm('Eliminar ticket')
  await boss.expectAndCloseToast('Ticket eliminado')
  await boss.expectHidden(row(boss, 'Camila Souza'))
  await boss.page.waitForURL(/\/tickets$/)
})

test('keeps rows in place under the pointer, and moves between rows by keyboard', async () => {
  const server = await openTeam()
  const leaving = await receiveCustomer(server, 'Cero')
  await server.desk.accept(server.ana, leaving.id)
  for (const name of ['Uno', 'Dos', 'Tres'])
    await server.desk.accept(server.ana, (await receiveCustomer(server, name)).id)
  const ana = await stage.open(server.ana)
  const names = () => ana.page.locator('[data-opener]').allInnerTexts()
  await expect.poll(names).toEqual(['Tres', 'Dos', 'Uno', 'Cero'])
  await row(ana, 'Tres').hover()
  // A ticket that a colleague takes away keeps its place, dimmed but readable.
  await server.desk.putTicket(server.desk.admin, leaving.id, { userId: server.beto.id })
  await ana.byRole('group', /^Cero.* Ya no está en esta lista$/).waitFor()
  await ana.takeScreenshot('tickets-gone-row')
  await ana.checkAccessibility()
  await server.desk.accept(server.ana, (await receiveCustomer(server, 'Cuatro')).id)
  await ana.byRole('button', '1 nuevo').waitFor()
  expect(await names()).toEqual(['Tres', 'Dos', 'Uno', 'Cero'])
  await ana.click('1 nuevo')
  await expect.poll(names).toEqual(['Cuatro', 'Tres', 'Dos', 'Uno'])
  await movePointerAway(ana)

  await ana.page.getByRole('list', { name: 'Tickets asignados' }).locator('[tabindex="0"]').first().focus()
  await ana.page.keyboard.press('j')
  await ana.page.keyboard.press('ArrowDown')
  await ana.page.keyboard.press('k')
  const focused = () => ana.page.evaluate(() => document.activeElement?.textContent?.slice(0, 40))
  await expect.poll(focused).toBe('Tres')
  await ana.page.keyboard.press('Control+Enter')
  await expect.poll(focused).toBe('Dos')
  await ana.expectToast('Ticket resuelto')
  await ana.page.keyboard.press('Enter')
  await ana.page.waitForURL(/\/tickets\/.+/)

  // If enabled, the next ticket opens automatically; opening a URL switches the list to the tab of its ticket.
  await ana.click(/^Orden/)
  await ana.page.getByRole('menuitemcheckbox', { name: /^Abrir el siguiente/ }).click()
  const open = async () => (await ana.page.locator('[data-selected] [data-opener]').allInnerTexts())[0]
  await expect.poll(open).toBe('Dos')
  await ana.page.getByRole('textbox').first().fill('Ya te digo')
  await ana.click('Resolver')
  await expect.poll(open).toBe('Uno')
  await tab(ana, /^Resueltos/).click()
  await row(ana, 'Dos').getByText('Borrador:').waitFor()
  await row(ana, 'Dos').getByText('Ya te digo').waitFor()
  await row(ana, 'Dos').getByRole('link').click()
  await tab(ana, /^Abiertos/).click()
  await ana.page.reload()
  await expect.poll(() => tab(ana, /^Resueltos/).getAttribute('aria-selected')).toBe('true')
})

test('finds or creates the contact of a new ticket, and names the agent who already handles the contact', async () => {
  const server = await openTeam()
  const { id } = await receiveCustomer(server, 'Lucía Campos')
  await server.desk.accept(server.beto, id)
  const ana = await stage.open(server.ana)
  await ana.click('Nuevo ticket', 'button', ana.byRole('region', 'Tickets'))
  await ana.click('Crear ticket', 'button', ana.dialog)
  await ana.expectText('Elige un contacto', ana.dialog)
  await ana.expectText('Elige una cola', ana.dialog)
  await ana.fill('Contacto', 'Luc', ana.dialog)
  await ana.click(/^Lucía Campos/, 'option')
  await ana.selectOption('Cola', 'Ventas')
  stage.allowProblem('409 POST /tickets')
  await ana.click('Crear ticket', 'button', ana.dialog)
  await ana.expectText(`Lo atiende ${server.beto.name}. Cola Ventas.`, ana.dialog)
  expect(await ana.byRole('button', 'Abrir ese ticket').count()).toBe(0)
  await ana.takeScreenshot('new-ticket-held')
  await ana.checkAccessibility()

  await ana.fill('Contacto', 'Rafael Teixeira', ana.dialog)
  await ana.click('Crear el contacto “Rafael Teixeira”', 'option')
  await ana.fill('Número', '5511988887777', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await expect.poll(() => ana.field('Contacto').inputValue()).toBe('Rafael Teixeira')
  await ana.click('Crear ticket', 'button', ana.dialog)
  await ana.page.waitForURL(/\/tickets\/.+/)
  await row(ana, 'Rafael Teixeira').waitFor()
})

test('shows the list and the ticket as two screens on a phone', async () => {
  const server = await openTeam()
  const { customer, id } = await receiveCustomer(server, 'Rosa Elena Paredes')
  await server.desk.accept(server.ana, id)
  for (let i = 0; i < 14; i++) await server.desk.accept(server.ana, (await receiveCustomer(server, `Cliente ${i}`)).id)
  const ana = await stage.open(server.ana, '/tickets', { viewport: phoneViewport })
  await ana.expectHeading('Tickets')
  await row(ana, 'Cliente 13').waitFor()
  await ana.takeScreenshot('tickets-phone')
  await ana.checkAccessibility()
  // The list is virtualized: Rosa is further down and not rendered.
  expect(await row(ana, 'Rosa Elena Paredes').count()).toBe(0)
  await row(ana, 'Cliente 13').hover()
  await ana.page.mouse.wheel(0, 5000)
  await row(ana, 'Rosa Elena Paredes').getByRole('link').click()
  await ana.page.waitForURL(/\/tickets\/.+/)
  await ana.page.getByRole('textbox').first().fill('Un borrador')
  await ana.takeScreenshot('ticket-phone')
  await ana.checkAccessibility()
  await ana.click('Volver a la lista')
  await ana.page.waitForURL(/\/tickets$/)
  await row(ana, 'Rosa Elena Paredes').waitFor()
  await customer.says('¿Me leen?')
  await ana.expectText('¿Me leen?', row(ana, 'Rosa Elena Paredes'))
  await row(ana, 'Rosa Elena Paredes').getByRole('link').click()
  await expect.poll(() => ana.page.getByRole('textbox').first().inputValue()).toBe('Un borrador')
})
