import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { testServer } from '../../server/test/test-server.ts'
import { createStage, desktopViewport, phoneViewport } from '../browser.ts'

const desk = createStage(() => testServer({ privateTargets: true }))
const longName = '*Sol* Medina de los Transportes Fluviales del Valle Alto'
const page =
  '<title>x</title><meta property="og:title" content="Lancha al muelle"><meta name="description" content="Sale a las 9:15">'
const site = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
afterAll(() => {
  site.closeAllConnections()
  site.close()
})

test('shows the title of a linked page, and a ticket to a colleague for as long as a note mentions them', async () => {
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  const { host } = new URL(`http://127.0.0.1:${(site.address() as AddressInfo).port}`)
  const d = await openDesk(desk.server())
  const sales = await d.createQueue('Ventas')
  const agent = d.admin
  const colleague = await d.createUser('user')
  const { customer, id } = await d.newTicket(`¿Es esta? http://${host}/lancha`, longName)
  await d.putTicket(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
  await d.accept(agent, id)
  const { uuid } = await d.showTicket(id)
  const ana = await desk.open(agent, `/tickets/${uuid}`)
  const conversation = ana.page.locator('#conversation')
  const card = conversation.getByRole('link', { name: /^Lancha al muelle/ })
  await card.waitFor()
  expect(await card.textContent()).toBe(`Lancha al muelleSale a las 9:15${host}`)
  expect(await card.getAttribute('href')).toBe(`http://${host}/lancha`)
  await ana.takeScreenshot('link-preview')
  await ana.checkAccessibility()
  // Names are read aloud without the marks of bold text.
  await customer.says('¿Hay lugar?')
  const announced = conversation.getByRole('status').filter({ hasText: '¿Hay lugar?' })
  await expect.poll(() => announced.textContent()).toMatch(/^Sol Medina de los/)
  await ana.page.getByRole('link', { name: /^Sol Medina de los/ }).waitFor()

  // The head of a preview shows the mark and the close button beside a name of any length, also on a phone.
  await ana.hoverAndClick(ana.page.locator('[data-ticket]').first(), /^Ver sin abrir/)
  await ana.expectText('Solo lectura', ana.dialog)
  for (const viewport of [desktopViewport, phoneViewport]) {
    await ana.page.setViewportSize(viewport)
    const frame = await ana.stableBox(ana.dialog)
    for (const part of [ana.dialog.getByText('Solo lectura'), ana.byRole('button', 'Cerrar', ana.dialog)]) {
      const { x, width } = await ana.stableBox(part)
      expect(x + width, `${viewport.width}`).toBeLessThanOrEqual(frame.x + frame.width)
    }
  }
  await ana.takeScreenshot('peek-long-name')
  await ana.page.setViewportSize(desktopViewport)
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))

  await ana.click(/^Nota/, 'button', ana.byRole('region', 'Redactar'))
  await ana.field('Nota').pressSequentially(`Mira esto @${colleague.name.slice(0, 4)}`)
  await ana.expectText('lo verá por esta nota', ana.byRole('option', new RegExp(colleague.name)))
  await ana.byRole('option', new RegExp(colleague.name)).click()
  await ana.field('Nota').press('Enter')
  await ana.expectText(`@${colleague.name}`, conversation)

  const beto = await desk.open(colleague, `/tickets/${uuid}`, { viewport: phoneViewport })
  await beto.expectText('Solo lectura')
  await beto.expectText(/^Ves este ticket porque te mencionaron en una nota/)
  await beto.expectText(`@${colleague.name}`)
  await beto.page.getByText('¿Hay lugar?').first().waitFor()
  expect(await beto.byRole('region', 'Redactar').count()).toBe(0)
  await beto.takeScreenshot('mentioned-conversation-phone')
  await beto.checkAccessibility()
  const [note] = (
    await d.admin.request<{ id: number }[]>(
      'GET',
      `/ticket-notes/list?ticketId=${id}&contactId=${(await d.showTicket(id)).contactId}`,
    )
  ).body
  expect((await agent.request('DELETE', `/ticket-notes/${note?.id}`)).status).toBe(200)
  desk.allowProblem('404 GET /tickets/u/')
  desk.allowProblem('403 GET /tickets/u/')
  await beto.page.reload()
  await beto.expectHidden('Solo lectura')
  await beto.expectText('No estás en ninguna cola')
})
