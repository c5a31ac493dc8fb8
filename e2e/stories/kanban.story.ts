import { boardApi } from '@recado/contract/board/board'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()

const lane = (who: Visitor, name: string) => who.page.getByRole('region', { name: new RegExp(`^${name}: `) })
const card = (who: Visitor, name: string) => who.page.getByRole('button', { name: new RegExp(`^${name},`) })
const isIn = (who: Visitor, name: string, where: string) =>
  lane(who, where)
    .getByRole('button', { name: new RegExp(`^${name},`) })
    .waitFor()

/** Drags a card with the mouse and drops it over a lane that is highlighted. */
async function dragCardToLane(who: Visitor, name: string, to: string): Promise<void> {
  const target = await who.stableBox(lane(who, to))
  const over = { x: target.x + target.width / 2, y: target.y + 160 }
  await who.drag(card(who, name), { x: 40, y: 12 }, over, lane(who, to).getByText(/^Soltar aquí/))
}

async function board() {
  const d = await openDesk(desk.server())
  const queue = await d.createQueue('Ventas')
  const lead = await d.createUser('supervisor', [queue])
  for (const name of ['Cotizar', 'Pagado'])
    await d.admin.call(boardApi.create, { body: { name, color: name === 'Cotizar' ? '#f08c00' : '#2f9e44' } })
  const tickets = []
  for (const [text, name] of [
    ['¿A qué hora abren?', 'Lucía Campos'],
    ['Necesito una factura', 'Óscar Betancourt'],
  ]) {
    const one = await d.newTicket(text, name)
    await d.db.updateTable('tickets').set({ queueId: queue.id }).where('id', '=', one.id).execute()
    tickets.push(one)
  }
  return { d, lead, tickets }
}

test('shows two users each other’s card moves, made by mouse and by keyboard', async () => {
  const { d, lead, tickets } = await board()
  const [ana, beto] = await Promise.all([desk.open(d.admin, '/kanban'), desk.open(lead, '/kanban')])
  await isIn(beto, 'Lucía Campos', 'Sin etiqueta')
  await isIn(ana, 'Lucía Campos', 'Sin etiqueta')
  await ana.checkAccessibility()
  await ana.takeScreenshot('kanban')

  // Keeps the undo toast open until the other browser has updated.
  await ana.holdToasts('Deshacer')
  await dragCardToLane(ana, 'Lucía Campos', 'Cotizar')
  await isIn(ana, 'Lucía Campos', 'Cotizar')
  await isIn(beto, 'Lucía Campos', 'Cotizar')
  await ana.click('Deshacer')
  await isIn(beto, 'Lucía Campos', 'Sin etiqueta')
  await isIn(ana, 'Lucía Campos', 'Sin etiqueta')

  const { keyboard } = beto.page
  await card(beto, 'Óscar Betancourt').focus()
  await keyboard.press('Space')
  await beto.expectText('Óscar Betancourt, tomado de Sin etiqueta.')
  await keyboard.press('ArrowRight')
  await keyboard.press('ArrowRight')
  await beto.expectText('Sobre Pagado.')
  await keyboard.press('Escape')
  await isIn(beto, 'Óscar Betancourt', 'Sin etiqueta')
  await keyboard.press('Space')
  await beto.expectText('Óscar Betancourt, tomado de Sin etiqueta.')
  await keyboard.press('ArrowRight')
  await beto.expectText('Sobre Cotizar.')
  await keyboard.press('Space')
  await isIn(beto, 'Óscar Betancourt', 'Cotizar')
  await isIn(ana, 'Óscar Betancourt', 'Cotizar')
  await expect.poll(() => card(beto, 'Óscar Betancourt').evaluate((it) => it === document.activeElement)).toBe(true)

  // A ticket closed elsewhere disappears; a click on a card opens its conversation, where the agent can answer.
  await d.putTicket(d.admin, tickets[1]?.id ?? 0, { status: 'closed', justClose: true })
  await beto.expectHidden(card(beto, 'Óscar Betancourt'))
  await card(ana, 'Lucía Campos').click()
  const talk = ana.page.getByRole('region', { name: 'Conversación' })
  await ana.expectText(/A qué hora abren/, talk)
  await ana.byRole('button', 'Aceptar', talk).first().click()
  const box = talk.getByRole('textbox')
  await box.fill('Abrimos a las nueve')
  await box.press('Enter')
  await ana.expectText(/Abrimos a las nueve/, talk)
  // The panel's edge can be dragged and keeps its position.
  const panel = async () => Math.round((await ana.stableBox(talk)).width)
  const before = await panel()
  const edge = ana.byRole('separator', 'Ancho de la conversación')
  await edge.focus()
  for (let i = 0; i < 5; i++) await edge.press('ArrowLeft')
  await expect.poll(panel).toBe(before + 80)
  await ana.page.reload()
  await card(ana, 'Lucía Campos').click()
  await ana.expectText(/Abrimos a las nueve/, talk)
  await expect.poll(panel).toBe(before + 80)
  await ana.takeScreenshot('kanban-peek')
  await ana.checkAccessibility()
  await ana.click('Cerrar la conversación')
  await ana.click('Abrir el ticket de Lucía Campos', 'link')
  await expect.poll(() => new URL(ana.page.url()).pathname).toMatch(/^\/tickets\/.+/)
})

test('creates, renames, orders and folds lanes in place, and remembers filters', async () => {
  const { d } = await board()
  const ana = await desk.open(d.admin, '/kanban')
  await ana.click('Nueva columna')
  await ana.fill('Nombre', 'Entregado', ana.dialog)
  await ana.click('Crear columna', 'button', ana.dialog)
  await ana.expectAndCloseToast('Columna creada')
  const heads = () => ana.page.getByRole('heading', { level: 2 }).allTextContents()
  await expect.poll(heads).toEqual(['Sin etiqueta', 'Cotizar', 'Pagado', 'Entregado'])
  await ana.byRole('button', 'Opciones de Entregado').focus()
  await ana.page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(heads).toEqual(['Sin etiqueta', 'Cotizar', 'Entregado', 'Pagado'])
  // Reorder by mouse, with the lane's header.
  const head = (name: string) => ana.page.getByRole('heading', { level: 2, name })
  const target = await ana.stableBox(head('Cotizar'))
  const before = lane(ana, 'Cotizar').and(ana.page.locator('[data-place=before]'))
  await ana.drag(head('Pagado'), { x: 20, y: 8 }, { x: target.x + 30, y: target.y + 60 }, before)
  await expect.poll(heads).toEqual(['Sin etiqueta', 'Pagado', 'Cotizar', 'Entregado'])
  await ana.click('Opciones de Cotizar')
  await ana.toggleSwitch('Enviar un mensaje al llegar', ana.dialog)
  await ana.fill('Mensaje al llegar', 'Ya te cotizamos.', ana.dialog)
  await ana.takeScreenshot('kanban-lane')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  // The form closes and leaves the focus in the menu, which Escape closes.
  await ana.expectHidden(ana.field('Mensaje al llegar'))
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await ana.expectAndCloseToast('Columna guardada')
  // Enter saves a name, and the blur after it does not save again.
  const named: string[] = []
  ana.page.on('request', (request) => {
    if (request.method() === 'PUT') named.push(request.postData() ?? '')
  })
  await ana.click('Opciones de Pagado')
  await ana.fill('Nombre', 'Cobrado', ana.dialog)
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.press('Tab')
  await ana.expectAndCloseToast('Columna guardada')
  await expect.poll(heads).toEqual(['Sin etiqueta', 'Cobrado', 'Cotizar', 'Entregado'])
  expect(named).toEqual([JSON.stringify({ name: 'Cobrado' })])
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await ana.click('Opciones de Cotizar')
  await ana.click('Plegar', 'button', ana.dialog)
  await ana.byRole('button', 'Desplegar Cotizar').waitFor()
  await ana.fill('Buscar contacto o mensaje', 'oscar')
  await ana.expectHidden(card(ana, 'Lucía Campos'))
  await ana.page.reload()
  await isIn(ana, 'Óscar Betancourt', 'Sin etiqueta')
  await ana.expectHidden(card(ana, 'Lucía Campos'))
  await ana.byRole('button', 'Desplegar Cotizar').waitFor()
})

test('shows one lane at a time on a phone, and opens a card’s ticket', async () => {
  const { d } = await board()
  const ana = await desk.open(d.admin, '/kanban', { viewport: phoneViewport })
  await isIn(ana, 'Lucía Campos', 'Sin etiqueta')
  await ana.takeScreenshot('kanban-phone')
  await ana.checkAccessibility()
  await card(ana, 'Lucía Campos').click()
  await expect.poll(() => new URL(ana.page.url()).pathname).toMatch(/^\/tickets\/.+/)
})
