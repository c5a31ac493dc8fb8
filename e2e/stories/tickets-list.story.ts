import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const scene = createStage()
const row = (who: Visitor, name: string) =>
  who.page.locator('[data-ticket]').filter({ has: who.page.getByText(name, { exact: true }) })
const tab = (who: Visitor, name: RegExp) => who.the('tab', name)
/** Moves the pointer away from the list, so that rows reorder again. */
const away = (who: Visitor) => who.page.mouse.move(1000, 20)

async function team() {
  const desk = await openDesk(scene.house())
  const [sales, support] = [await desk.queue('Ventas'), await desk.queue('Soporte')]
  const [ana, beto] = [await desk.person('user', [sales, support]), await desk.person('user', [sales, support])]
  return { desk, sales, support, ana, beto }
}
type Team = Awaited<ReturnType<typeof team>>

/** A new customer writes and is assigned to a queue. */
async function arrives({ desk, sales }: Team, name: string, text = 'Hola') {
  const { customer, id } = await desk.newTicket(text, name)
  await desk.put(desk.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  return { customer, id }
}

/** Beside a conversation the list is narrow: items of its bar must not overlap or be cut off. */
async function apart(who: Visitor) {
  for (const width of [768, 1024, 390, 1440]) {
    await who.page.setViewportSize({ width, height: 900 })
    const bar = who.the('group', 'Opciones de la lista')
    const controls = bar.locator('button, label').filter({ visible: true })
    await expect.poll(() => controls.count(), { message: `${width}` }).toBe(3)
    /** The largest overlap with the next item, or with the edge. */
    const over = async () => {
      const boxes = await controls.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
      )
      const end = await bar.evaluate((one) => one.getBoundingClientRect().right)
      return Math.max(...boxes.map(({ right }, i) => right - (boxes[i + 1]?.left ?? end)))
    }
    await expect.poll(over, { message: `${width}` }).toBeLessThanOrEqual(0.5)
    await who.shot(`tickets-list-${width}`)
  }
}

test('shows a new customer to both agents; one accepts first, and the other sees who', async () => {
  const house = await team()
  const [ana, beto] = await Promise.all([scene.open(house.ana), scene.open(house.beto)])
  for (const agent of [ana, beto]) {
    await agent.sees('No tienes tickets asignados')
    await tab(agent, /^En espera/).click()
    await agent.sees('Nadie espera')
    await away(agent)
  }
  // An agent without tickets is led to the waiting ones.
  await tab(ana, /^Asignados/).click()
  await ana.scan()
  const { customer } = await arrives(house, 'Lucía Campos', '¿A qué hora abren?')
  await ana.press('Ver los que esperan (1)')
  for (const agent of [ana, beto]) {
    await agent.sees('¿A qué hora abren?', row(agent, 'Lucía Campos'))
    await tab(agent, /^En espera 1$/).waitFor()
  }
  // A pending ticket can be previewed without being read, and accepted; it cannot be opened or resolved here.
  await row(ana, 'Lucía Campos').getByText('Lucía Campos').click()
  await ana.sees('Solo lectura', ana.dialog)
  await ana.sees(/¿A qué hora abren?/, ana.dialog)
  await ana.the('button', 'Resolver').waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))
  expect(ana.page.url()).toMatch(/\/tickets$/)
  expect((await house.desk.list(house.ana, { status: 'pending' }))[0]).toMatchObject({ unreadMessages: 1 })
  const others = await ana.under(row(ana, 'Lucía Campos'), 'Transferir: Lucía Campos')
  await ana.the('button', 'Ver sin abrir: Lucía Campos').waitFor()
  expect(await ana.the('button', 'Resolver: Lucía Campos').count()).toBe(0)
  const accept = ana.the('button', 'Aceptar a Lucía Campos')
  expect((await accept.boundingBox())?.height).toBeGreaterThanOrEqual(34)
  // Both at the same moment, wherever the row is by then.
  const gap = await accept.evaluate(
    (below, above) => {
      if (!(above instanceof Element)) return -1
      return below.getBoundingClientRect().top - above.getBoundingClientRect().bottom
    },
    await others.elementHandle(),
  )
  expect(gap).toBeGreaterThanOrEqual(0)
  await ana.shot('tickets-waiting')
  await ana.scan()
  await away(ana)

  // Both click; Beto's call leaves first but is slower.
  await beto.page.route('**/tickets/*', async (route) => {
    if (route.request().method() === 'PUT') await ana.page.waitForURL(/\/tickets\/.+/)
    await route.continue()
  })
  scene.excuse('409 PUT /tickets/')
  await beto.press('Aceptar a Lucía Campos')
  await ana.press('Aceptar a Lucía Campos')
  await ana.page.waitForURL(/\/tickets\/.+/)
  await tab(ana, /^Asignados 1$/).waitFor()
  await beto.told(`Lo tomó ${house.ana.name}`)
  await away(beto)
  await beto.page.goto('/tickets')
  await tab(beto, /^En espera 0$/).waitFor()

  await customer.says('¿Hay alguien?')
  await ana.sees('¿Hay alguien?', row(ana, 'Lucía Campos'))
  await beto.misses(row(beto, 'Lucía Campos'))
})

test('transfers, resolves and reopens a ticket, with both agents seeing it', async () => {
  const house = await team()
  const nobodys = await house.desk.person('user')
  const { id } = await arrives(house, 'Hernán Paz')
  await house.desk.accept(house.ana, id)
  const [ana, beto] = await Promise.all([scene.open(house.ana), scene.open(house.beto)])
  await row(ana, 'Hernán Paz').getByRole('link').click()
  await ana.page.waitForURL(/\/tickets\/.+/)
  await beto.sees('No tienes tickets asignados')

  await ana.pressUnder(row(ana, 'Hernán Paz'), 'Transferir: Hernán Paz')
  await ana.sees('Transferir ticket', ana.dialog)
  await ana.press('Transferir', 'button', ana.dialog)
  await ana.sees('Elige una cola', ana.dialog)
  // The list of agents is short enough to select from; an agent without queues accepts tickets in any.
  await ana.field('Agente', ana.dialog).click()
  await ana.press(nobodys.name, 'option')
  await ana.choose('Cola', 'Ventas')
  // Half a name selects nobody; a full name selects its agent without a click.
  await ana.write('Agente', house.beto.name.slice(0, 4), ana.dialog)
  await ana.page.keyboard.press('Tab')
  await expect.poll(() => ana.field('Agente', ana.dialog).inputValue()).toBe('')
  await ana.write('Agente', house.beto.name, ana.dialog)
  await ana.page.keyboard.press('Tab')
  await ana.choose('Cola', 'Soporte')
  await ana.shot('transfer')
  await ana.scan()
  await ana.press('Transferir', 'button', ana.dialog)
  await ana.told('Ticket transferido')
  await ana.page.waitForURL(/\/tickets$/)
  await ana.sees('No tienes tickets asignados')
  await ana.sees('Elige un ticket para empezar')

  await beto.sees('Soporte', row(beto, 'Hernán Paz'))
  await tab(beto, /^Asignados 1$/).waitFor()
  await row(beto, 'Hernán Paz').getByText(house.beto.name).waitFor()
  await row(beto, 'Hernán Paz').getByRole('link').click()
  const ticketUrl = await beto.page.waitForURL(/\/tickets\/.+/).then(() => beto.page.url())
  await beto.pressUnder(row(beto, 'Hernán Paz'), 'Resolver: Hernán Paz')
  await beto.page.waitForURL(/\/tickets$/)
  await beto.told('Ticket resuelto')
  await tab(beto, /^Asignados 0$/).waitFor()

  await tab(ana, /^Resueltos/).click()
  await away(ana)
  await row(ana, 'Hernán Paz').waitFor()
  await tab(beto, /^Resueltos/).click()
  await beto.pressUnder(row(beto, 'Hernán Paz'), 'Reabrir: Hernán Paz')
  await beto.page.waitForURL(ticketUrl)
  await tab(beto, /^Asignados 1$/).waitFor()
  await ana.misses(row(ana, 'Hernán Paz'))

  // Ana cannot open Beto's ticket.
  scene.excuse('404 GET /tickets/u/')
  await ana.page.goto(ticketUrl)
  await ana.told('No tienes acceso a ese ticket')
  await ana.page.waitForURL(/\/tickets$/)
})

test('lets an admin preview, search, filter and delete tickets', async () => {
  const house = await team()
  const { id } = await arrives(house, 'Camila Souza', 'Quero um orçamento')
  await arrives(house, 'Martín Etcheverry')
  await house.desk.accept(house.ana, id)
  const boss = await scene.open(house.desk.admin)
  await row(boss, 'Camila Souza').waitFor()
  await boss.flip('Ver todos')
  await boss.sees('No tienes tickets asignados')
  await boss.page.reload()
  await boss.sees('No tienes tickets asignados')
  await boss.flip('Ver todos')
  await apart(boss)

  await boss.pressUnder(row(boss, 'Camila Souza'), 'Ver sin abrir: Camila Souza')
  await boss.sees('Solo lectura', boss.dialog)
  await boss.sees(/Quero um orçamento/, boss.dialog)
  expect(await boss.dialog.getByRole('textbox').count()).toBe(0)
  await boss.shot('peek')
  await boss.scan()
  await boss.page.keyboard.press('Escape')
  await boss.misses(boss.page.getByRole('dialog'))

  await tab(boss, /^Buscar/).click()
  await boss.page.getByRole('searchbox').fill('ORÇAMENTO')
  await boss.misses(row(boss, 'Martín Etcheverry'))
  await row(boss, 'Camila Souza').locator('mark').getByText('orçamento').waitFor()
  await boss.shot('tickets-search')
  await apart(boss)
  await boss.scan()
  await boss.page.getByRole('searchbox').fill('nada de nada')
  await boss.sees('No encontramos nada')
  await boss.press('Borrar la búsqueda')
  await expect.poll(() => tab(boss, /^Abiertos$/).getAttribute('aria-selected')).toBe('true')

  await boss.press('Filtrar por cola: Todas las colas')
  await boss.page.getByRole('checkbox', { name: 'Soporte' }).check()
  await boss.sees('Nada con este filtro')
  await boss.page.keyboard.press('Escape')
  await boss.press('Ver todas las colas')
  await row(boss, 'Camila Souza').getByRole('link').click()
  await boss.press('Más acciones')
  await boss.press('Eliminar ticket', 'menuitem')
  await boss.still()
  await boss.confirm('Eliminar ticket')
  await boss.told('Ticket eliminado')
  await boss.misses(row(boss, 'Camila Souza'))
  await boss.page.waitForURL(/\/tickets$/)
})

test('keeps rows in place under the pointer, and moves between them by keyboard', async () => {
  const house = await team()
  for (const name of ['Uno', 'Dos', 'Tres']) await house.desk.accept(house.ana, (await arrives(house, name)).id)
  const ana = await scene.open(house.ana)
  const names = () => ana.page.locator('[data-opener]').allInnerTexts()
  await expect.poll(names).toEqual(['Tres', 'Dos', 'Uno'])
  await row(ana, 'Tres').hover()
  await house.desk.accept(house.ana, (await arrives(house, 'Cuatro')).id)
  await ana.the('button', '1 nuevo').waitFor()
  expect(await names()).toEqual(['Tres', 'Dos', 'Uno'])
  await ana.press('1 nuevo')
  await expect.poll(names).toEqual(['Cuatro', 'Tres', 'Dos', 'Uno'])
  await away(ana)

  await ana.page.getByRole('list', { name: 'Tickets asignados' }).locator('[tabindex="0"]').first().focus()
  await ana.page.keyboard.press('j')
  await ana.page.keyboard.press('ArrowDown')
  await ana.page.keyboard.press('k')
  const focused = () => ana.page.evaluate(() => document.activeElement?.textContent?.slice(0, 40))
  await expect.poll(focused).toBe('Tres')
  await ana.page.keyboard.press('e')
  await ana.sees(/Enter lo hace/)
  await ana.page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Dos')
  await ana.learns('Ticket resuelto')
  await ana.page.keyboard.press('Enter')
  await ana.page.waitForURL(/\/tickets\/.+/)

  // Optionally the next ticket opens by itself; a URL switches the list to the tab of its ticket.
  await ana.press(/^Orden/)
  await ana.page.getByRole('menuitemcheckbox', { name: /^Abrir el siguiente/ }).click()
  const open = async () => (await ana.page.locator('[data-selected] [data-opener]').allInnerTexts())[0]
  await expect.poll(open).toBe('Dos')
  await ana.page.getByRole('textbox').first().fill('Ya te digo')
  await ana.press('Resolver')
  await expect.poll(open).toBe('Uno')
  await tab(ana, /^Resueltos/).click()
  await row(ana, 'Dos').getByText('Borrador:').waitFor()
  await row(ana, 'Dos').getByRole('link').click()
  await tab(ana, /^Abiertos/).click()
  await ana.page.reload()
  await expect.poll(() => tab(ana, /^Resueltos/).getAttribute('aria-selected')).toBe('true')
})

test('finds or creates the contact of a new ticket, and names the agent who already has it', async () => {
  const house = await team()
  const { id } = await arrives(house, 'Lucía Campos')
  await house.desk.accept(house.beto, id)
  const ana = await scene.open(house.ana)
  await ana.press('Nuevo ticket', 'button', ana.the('region', 'Tickets'))
  await ana.press('Crear ticket', 'button', ana.dialog)
  await ana.sees('Elige un contacto', ana.dialog)
  await ana.sees('Elige una cola', ana.dialog)
  await ana.write('Contacto', 'Luc', ana.dialog)
  await ana.press(/^Lucía Campos/, 'option')
  await ana.choose('Cola', 'Ventas')
  scene.excuse('409 POST /tickets')
  await ana.press('Crear ticket', 'button', ana.dialog)
  await ana.sees(`Lo atiende ${house.beto.name}. Cola Ventas.`, ana.dialog)
  expect(await ana.the('button', 'Abrir ese ticket').count()).toBe(0)
  await ana.shot('new-ticket-held')
  await ana.scan()

  await ana.write('Contacto', 'Rafael Teixeira', ana.dialog)
  await ana.press('Crear el contacto “Rafael Teixeira”', 'option')
  await ana.write('Número', '5511988887777', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await expect.poll(() => ana.field('Contacto').inputValue()).toBe('Rafael Teixeira')
  await ana.press('Crear ticket', 'button', ana.dialog)
  await ana.page.waitForURL(/\/tickets\/.+/)
  await row(ana, 'Rafael Teixeira').waitFor()
})

test('shows the list and the ticket as two screens on a phone', async () => {
  const house = await team()
  const { customer, id } = await arrives(house, 'Rosa Elena Paredes')
  await house.desk.accept(house.ana, id)
  for (let i = 0; i < 14; i++) await house.desk.accept(house.ana, (await arrives(house, `Cliente ${i}`)).id)
  const ana = await scene.open(house.ana, '/tickets', { viewport: phoneViewport })
  await ana.at('Tickets')
  await row(ana, 'Cliente 13').waitFor()
  await ana.shot('tickets-phone')
  await ana.scan()
  // The list is virtualized: Rosa is further down and not rendered.
  expect(await row(ana, 'Rosa Elena Paredes').count()).toBe(0)
  await row(ana, 'Cliente 13').hover()
  await ana.page.mouse.wheel(0, 5000)
  await row(ana, 'Rosa Elena Paredes').getByRole('link').click()
  await ana.page.waitForURL(/\/tickets\/.+/)
  await ana.page.getByRole('textbox').first().fill('Un borrador')
  await ana.shot('ticket-phone')
  await ana.scan()
  await ana.press('Volver a la lista')
  await ana.page.waitForURL(/\/tickets$/)
  await row(ana, 'Rosa Elena Paredes').waitFor()
  await customer.says('¿Me leen?')
  await ana.sees('¿Me leen?', row(ana, 'Rosa Elena Paredes'))
  await row(ana, 'Rosa Elena Paredes').getByRole('link').click()
  await expect.poll(() => ana.page.getByRole('textbox').first().inputValue()).toBe('Un borrador')
})
