import { sandboxApi } from '@recado/contract/sandbox'
import type { Locator } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import type { SandboxPhone } from '../../server/test/sandbox-phone.ts'
import type { TestUser } from '../../server/test/test-server.ts'
import { tinyPng } from '../../server/test/upload.ts'

import { createStage, desktopViewport, phoneViewport } from '../browser.ts'
import { encodeWav } from '../encode-wav.ts'
import type { Visitor } from '../visitor.ts'

/** In the browser: simulates a browser that can or cannot display PDFs. */
const papers = (who: Visitor, shown: boolean) =>
  who.page.evaluate(
    (is) => Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => is, configurable: true }),
    shown,
  )

/** A PDF with one page and one word. */
const onePage = Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 40>>stream
BT /F 24 Tf 50 100 Td (Factura 17) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`)

const desk = createStage()

const thread = (ana: Visitor) => ana.page.locator('[data-thread]')
const bubble = (ana: Visitor, text: string | RegExp): Locator =>
  thread(ana).locator('[data-message]').filter({ hasText: text })
const pictureNamed = (name: string) => new File([tinyPng], name, { type: 'image/png' })

/** One company, one line and one browser of the admin, shared by all desktop stories. */
let preparedDesk: ReturnType<typeof prepareDesk> | undefined
async function prepareDesk() {
  const company = await desk.server().createCompany()
  return { company, line: await desk.server().openLine(company, { name: 'Bogotá 1' }) }
}
const atDesk = () => {
  preparedDesk ??= prepareDesk()
  return preparedDesk
}
/** Opens the conversation with that customer as the admin. */
async function reading(uuid: string, name: string): Promise<Visitor> {
  const ana = await desk.open((await atDesk()).company.admin, `/tickets/${uuid}`, { keepContext: true })
  await ana.expectText(name, ana.page.locator('#conversation header'))
  return ana
}

/** Assigns to this agent the pending ticket of the last customer who wrote. */
async function take(agent: TestUser): Promise<{ id: number; uuid: string }> {
  type Found = { tickets: { id: number; uuid: string }[] }
  const found = async () => (await agent.request<Found>('GET', '/tickets?status=pending&showAll=true')).body.tickets[0]
  await expect.poll(found).toBeTruthy()
  const ticket = (await found()) as { id: number; uuid: string }
  await agent.request('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: agent.id })
  return ticket
}

/** The waiting ticket of the customer with this name. */
async function waitForPending(agent: TestUser, name: string): Promise<{ id: number; uuid: string }> {
  type Found = { tickets: { id: number; uuid: string }[] }
  const path = `/tickets?status=pending&showAll=true&searchParam=${name}`
  const found = async () => (await agent.request<Found>('GET', path)).body.tickets
  await expect.poll(async () => (await found()).length).toBe(1)
  return (await found())[0] as { id: number; uuid: string }
}

const closeTicket = (agent: TestUser, id: number) =>
  agent.request('PUT', `/tickets/${id}`, { status: 'closed', userId: agent.id, justClose: true })

const unread = (agent: TestUser, id: number, count: number) =>
  expect
    .poll(async () => (await agent.request<{ unreadMessages: number }>('GET', `/tickets/${id}`)).body.unreadMessages)
    .toBe(count)

const openMessageMenu = (ana: Visitor, text: string) => ana.hoverAndClick(bubble(ana, text), 'Más acciones del mensaje')

/** Offset of a row from the top of the thread. */
const topOf = (row: Locator) =>
  row.evaluate((one) => {
    const box = one.closest('[data-thread]') as HTMLElement
    return Math.round(one.getBoundingClientRect().top - box.getBoundingClientRect().top)
  })

/** Scrolls like a user, who waits for the view before the next action. */
const scrollTo = (ana: Visitor, top: number) =>
  thread(ana).evaluate(async (box, to) => {
    box.scrollTo(0, to)
    for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame)
  }, top)

async function sticker(admin: TestUser, line: SandboxPhone, from: string) {
  const form = new FormData()
  form.append('from', from)
  form.append('kind', 'sticker')
  form.append('medias', new File([tinyPng], 's.png', { type: 'image/png' }))
  await admin.request('POST', `/sandbox/${line.id}/messages`, form)
}

/** Half a second or more of a real video, recorded in the browser. */
async function film(ana: Visitor): Promise<Uint8Array<ArrayBuffer>> {
  const base64 = await ana.page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm' })
    const taken: Blob[] = []
    const drawing = setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, 40, 40), 50)
    // Wait until the recording contains data, which takes longer on a busy machine.
    await new Promise<void>((resolve) => {
      recorder.onstop = () => resolve()
      recorder.ondataavailable = ({ data }) => {
        taken.push(data)
        if (recorder.state === 'recording' && taken.filter(({ size }) => size > 0).length > 4) recorder.stop()
      }
      recorder.start(100)
    })
    clearInterval(drawing)
    return btoa(String.fromCharCode(...new Uint8Array(await new Blob(taken).arrayBuffer())))
  })
  return new Uint8Array(Buffer.from(base64, 'base64'))
}

test('shows the acceptance also when the browser was faster than the server', async () => {
  const { company, line } = await atDesk()
  await line.customer('573005550177', 'Diana Sol').says('¿Siguen ahí?')
  const { id, uuid } = await waitForPending(company.admin, 'Diana')
  const ana = await reading(uuid, 'Diana Sol')
  // The browser shows the change at once and loads the ticket's events before the server has made it.
  const early = ana.page.waitForResponse((response) => response.url().includes(`/tickets/${id}/events`))
  await ana.page.route(`**/tickets/${id}`, async (route) => {
    if (route.request().method() === 'PUT') await early
    await route.fallback()
  })
  await ana.click('Aceptar', 'button', ana.page.locator('#conversation header'))
  await ana.expectText(/aceptó el ticket/, thread(ana))
  await closeTicket(company.admin, id)
})

test('receives every kind of message live and renders it by kind', async () => {
  const { company, line } = await atDesk()
  const valentina = line.customer('573005550192', 'Valentina Restrepo Quintero')
  const first = await valentina.says('Hola, ¿tienen el *taladro*? Es este: https://obra.example/13mm')
  const { id, uuid } = await take(company.admin)
  const ana = await reading(uuid, 'Valentina Restrepo Quintero')
  await bubble(ana, 'Hola, ¿tienen el taladro?').waitFor()
  await ana.byRole('link', 'https://obra.example/13mm').waitFor()
  await ana.expectText(/aceptó el ticket/, thread(ana))

  // Arabic is right-to-left with a readable URL in it; a very long text is collapsed.
  await valentina.says('مرحبا https://obra.example/14mm\nHola')
  const arabic = bubble(ana, 'مرحبا')
  const address = arabic.getByRole('link', { name: 'https://obra.example/14mm' })
  const [frame, link] = [await ana.stableBox(arabic), await ana.stableBox(address)]
  expect(frame.x + frame.width - link.x - link.width).toBeGreaterThan(30)
  expect(await address.getAttribute('dir')).toBe('ltr')
  await valentina.says(`Largo ${'y más largo '.repeat(300)}final`)
  await ana.byRole('button', 'Leer más', thread(ana)).waitFor()
  await ana.expectHidden(/y más largo final/, thread(ana))
  await ana.click('Leer más', 'button', thread(ana))
  await ana.expectText(/y más largo final/, thread(ana))

  await valentina.sends(pictureNamed('etiqueta.png'), { body: 'Se ve aquí' })
  await ana.byRole('button', 'Ver en grande: Se ve aquí').waitFor()
  const tone = Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i / 8) * Math.abs(Math.sin(i / 2500)))
  await valentina.sends(new File([encodeWav(tone, 16_000)], 'voz.wav', { type: 'audio/wav' }))
  await ana.expectText('0:01', thread(ana))
  await valentina.sends(new File([await film(ana)], 'bodega.webm', { type: 'video/webm' }), { body: 'La bodega' })
  await ana.byRole('button', 'Ver en grande: La bodega').locator('video').waitFor()
  await papers(ana, false)
  await valentina.sends(new File([onePage], 'Factura.pdf', { type: 'application/pdf' }))
  await ana.byRole('link', 'Descargar Factura.pdf').waitFor()
  await ana.expectText(`1 página · ${onePage.length} B`)
  // A browser that cannot embed a PDF opens the PDF in a new tab.
  expect(await ana.byRole('link', /^Ver Factura\.pdf/).getAttribute('target')).toBe('_blank')
  await papers(ana, true)
  await valentina.sends(new File(['<!doctype html>'], 'Recibo.pdf', { type: 'application/pdf' }))
  await ana.click(/^Ver Recibo\.pdf/)
  await ana.expectText('Este archivo no se puede mostrar aquí', ana.dialog)
  await ana.click('Cerrar', 'button', ana.dialog)
  // Other browsers show the PDF over the page, in a frame that only our origin may embed.
  await valentina.sends(new File([onePage], 'Plano.pdf', { type: 'application/pdf' }))
  const framed = ana.page.waitForResponse((one) => one.request().isNavigationRequest() && /Plano\.pdf/.test(one.url()))
  await ana.click(/^Ver Plano\.pdf/)
  expect(await (await framed).allHeaders()).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^inline/),
    'content-security-policy': expect.stringContaining("frame-ancestors 'self'"),
  })
  await ana.byRole('link', 'Descargar Plano.pdf', ana.dialog).waitFor()
  await ana.takeScreenshot('conversation-paper')
  await ana.click('Cerrar', 'button', ana.dialog)
  await valentina.sendEvent('location', { latitude: 4.67, longitude: -74.05, body: 'Bodega Norte, Cra. 15 #93-60' })
  // No map service is called (the browser has no network): the map is drawn from the message's own data.
  for (const words of ['Bodega Norte', 'Cra. 15 #93-60', '4.67, -74.05']) await ana.expectText(words, thread(ana))
  await bubble(ana, 'Bodega Norte').locator('svg path').first().waitFor()
  const map = ana.byRole('link', 'Abrir en mapas')
  expect(await map.getAttribute('href')).toContain('maps.google.com')
  const open = ana.byRole('link', 'OpenStreetMap')
  expect(await open.getAttribute('href')).toContain('openstreetmap.org/?mlat=4.67&mlon=-74.05')
  await valentina.sendEvent('contact', { contactName: 'Ing. Ricardo Peña', contactNumber: '+573105550148' })
  await bubble(ana, 'Ing. Ricardo Peña').waitFor()
  await sticker(company.admin, line, valentina.number)
  await ana.byRole('img', 'Sticker', thread(ana)).waitFor()
  await valentina.sendEvent('unknown', { body: 'payment' })
  await ana.expectText('Mensaje que no podemos mostrar', thread(ana))
  await valentina.sendEvent('unknown', { body: 'poll\n¿Qué día les sirve?\nLunes\nJueves' })
  await ana.expectText('¿Qué día les sirve?', thread(ana))
  await ana.expectText('Jueves', thread(ana))
  await valentina.sendEvent('unknown', { body: 'view-once' })
  await ana.expectText('Para ver una sola vez', thread(ana))
  await valentina.sendEvent('unknown', { body: 'waiting-for-message' })
  await ana.expectText('Esperando este mensaje', thread(ana))
  await ana.takeScreenshot('conversation-unknown')
  await valentina.calls()
  await ana.expectText('Llamada perdida', thread(ana))
  await ana.expectText(/^Bot · Llamadas$/, thread(ana))

  await valentina.reacts(first, '👍')
  await ana.byRole('group', /^Reacciones: 👍/, thread(ana)).waitFor()
  await valentina.edits(first, 'Hola, ¿tienen el taladro de 13?')
  await ana.expectText(/^Editado/, bubble(ana, 'taladro de 13'))
  const taken = await valentina.says('Me equivoqué')
  await bubble(ana, 'Me equivoqué').waitFor()
  await valentina.deletes(taken)
  await ana.expectText('Mensaje eliminado', thread(ana))

  await company.admin.request('POST', '/ticket-notes', { ticketId: id, note: 'Obra grande, avisar a @Julián' })
  await ana.expectText(/avisar a @Julián/, thread(ana))
  await unread(company.admin, id, 0)
  await ana.takeScreenshot('conversation-kinds')
  await ana.checkAccessibility()

  await ana.click('Guardar contacto')
  await ana.field('Nombre', ana.dialog).waitFor()
  await expect.poll(() => ana.field('Nombre', ana.dialog).inputValue()).toBe('Ing. Ricardo Peña')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await ana.click('Enviarle un mensaje')
  await ana.byRole('button', 'Crear ticket', ana.dialog).waitFor()
  await expect.poll(() => ana.field('Contacto', ana.dialog).inputValue()).toBe('Ing. Ricardo Peña')
  await ana.click('Cancelar', 'button', ana.dialog)
  await ana.expectHidden(ana.page.getByRole('dialog'))
})

test('shows receipts and a failure with its reason, retries the failed message, and deletes a message', async () => {
  const { company, line } = await atDesk()
  const lucia = line.customer('5491155550001', 'Lucía Campos')
  await lucia.says('Hola')
  const { uuid } = await take(company.admin)
  const ana = await reading(uuid, 'Lucía Campos')
  await bubble(ana, 'Hola').waitFor()

  const write = async (text: string) => {
    await ana.page.getByLabel('Mensaje', { exact: true }).fill(text)
    await ana.page.keyboard.press('Enter')
  }
  await write('Buenas, ¿en qué ayudo?')
  await ana.byRole('img', 'Entregado', bubble(ana, 'Buenas, ¿en qué ayudo?')).waitFor()
  await expect.poll(() => thread(ana).getByText('Buenas, ¿en qué ayudo?').count()).toBe(1)
  await lucia.reads()
  await ana.byRole('img', 'Leído', bubble(ana, 'Buenas, ¿en qué ayudo?')).waitFor()

  await line.setFaults({ failSends: 'blocked' })
  await write('Pasamos hoy a las 14')
  await ana.expectText('No se envió: el cliente bloqueó la línea')
  await ana.takeScreenshot('conversation-failed')
  await ana.checkAccessibility()
  await line.setFaults({ failSends: '' })
  await ana.click('Reintentar', 'button', thread(ana))
  await ana.byRole('img', 'Entregado', bubble(ana, 'Pasamos hoy a las 14')).waitFor()
  await ana.expectHidden('No se envió: el cliente bloqueó la línea')

  await openMessageMenu(ana, 'Pasamos hoy a las 14')
  await ana.checkAccessibility()
  await ana.click('Eliminar', 'menuitem')
  await ana.confirm('Eliminar mensaje')
  await ana.expectText('Mensaje eliminado', thread(ana))
  await expect.poll(async () => (await lucia.listMessages()).at(-1)?.isDeleted).toBe(true)
  await openMessageMenu(ana, 'Hola')
  await ana.byRole('menuitem', 'Copiar texto').waitFor()
  await ana.expectHidden(ana.byRole('menuitem', 'Eliminar'))

  // Forwarding to a contact without a ticket creates a ticket, with the message marked as forwarded.
  await company.admin.request('POST', '/contacts', { name: 'Rosa Méndez', number: '5491155550002' })
  await line.customer('5491155550009', 'Tito Paz').says('Buenas')
  const waiting = await waitForPending(company.admin, 'Tito')
  await ana.click('Reenviar', 'menuitem')
  // A contact who waits in another ticket receives nothing, and the dialog says so.
  await ana.fill('Buscar conversación o contacto', 'tito', ana.dialog)
  await ana.byRole('checkbox', /^Tito Paz/, ana.dialog).check()
  desk.allowProblem('409 POST /messages/')
  await ana.click('Reenviar', 'button', ana.dialog)
  await ana.expectText(/^No se reenvió nada\. Tito Paz ya tiene un ticket abierto\. Espera a que alguien/, ana.dialog)
  await ana.takeScreenshot('conversation-forward-refused')
  await ana.byRole('checkbox', /^Tito Paz/, ana.dialog).uncheck()
  await closeTicket(company.admin, waiting.id)
  await ana.fill('Buscar conversación o contacto', 'rosa', ana.dialog)
  await ana.byRole('checkbox', /^Rosa Méndez/, ana.dialog).check()
  // A second message goes with it, in the order of the conversation.
  await ana.click('Agregar más mensajes', 'button', ana.dialog)
  await ana.byRole('checkbox', /^Buenas, ¿en qué ayudo\?/, ana.dialog).check()
  await ana.takeScreenshot('conversation-forward')
  await ana.checkAccessibility()
  await ana.click('Reenviar', 'button', ana.dialog)
  await ana.expectAndCloseToast('2 mensajes reenviados')
  const rosa = line.customer('5491155550002')
  await expect
    .poll(async () => (await rosa.listMessages()).map(({ body, isForwarded }) => [body, isForwarded]))
    .toEqual([
      ['Hola', true],
      ['Buenas, ¿en qué ayudo?', true],
    ])
  await ana.click(/^Rosa Méndez, /, 'link')
  await ana.expectText('Reenviado', bubble(ana, 'Hola'))

  // Marked as unread, the conversation closes and stays in the unread filter until it is opened.
  await ana.click('Más acciones', 'button', ana.page.locator('#conversation header'))
  await ana.click('Marcar como no leído', 'menuitem')
  await ana.page.waitForURL(/\/tickets$/)
  const unreadRow = ana.byRole('link', /^Rosa Méndez, 1 sin leer/)
  await unreadRow.click()
  await ana.expectHidden(unreadRow)
})

test('opens a long conversation at the first unread message, and does not jump while scrolling up', async () => {
  const { company, line } = await atDesk()
  const hernan = line.customer('5491155550777', 'Hernán Paz')
  const quoted = await hernan.says('El primero de todos')
  for (let i = 2; i <= 64; i++) await hernan.says(`Mensaje ${i}${i % 5 ? '' : ' que ocupa bastante más'.repeat(9)}`)
  const { id, uuid } = await take(company.admin)
  await unread(company.admin, id, 64)
  await company.admin.request('GET', `/messages/${id}`)
  for (let i = 65; i <= 78; i++) await hernan.says(`Mensaje ${i}${i % 5 ? '' : ' que ocupa bastante más'.repeat(9)}`)
  await hernan.says('Y esto va por lo primero', { quotedId: quoted })
  await unread(company.admin, id, 15)

  const ana = await reading(uuid, 'Hernán Paz')
  await ana.expectText('Nuevo', thread(ana))
  // From here on the "new" divider and the messages below it count as read.
  await expect.poll(() => topOf(thread(ana).locator('[data-mark]'))).toBeGreaterThan(0)
  await expect.poll(() => topOf(bubble(ana, /^Mensaje 65/))).toBeLessThan(140)
  await ana.checkAccessibility()
  await unread(company.admin, id, 0)

  for (const oldest of [60, 40, 20]) {
    const held = bubble(ana, new RegExp(`^Mensaje ${oldest}(?!\\d)`))
    await scrollTo(ana, 70)
    await held.waitFor()
    const before = await topOf(held)
    await scrollTo(ana, 49)
    await bubble(ana, oldest === 20 ? /^El primero de todos/ : new RegExp(`^Mensaje ${oldest - 20}(?!\\d)`)).waitFor({
      state: 'attached',
    })
    await expect.poll(() => topOf(held)).toBe(before + 21)
  }

  // While scrolled up, the pill announces new messages and nothing moves.
  const held = bubble(ana, /^Mensaje 20(?!\d)/)
  await ana.stableBox(held)
  const before = await topOf(held)
  await hernan.says('¿Siguen ahí?')
  await ana.byRole('button', '1 mensaje nuevo').waitFor()
  expect(await topOf(held)).toBe(before)
  await ana.takeScreenshot('conversation-pill')
  await ana.click('1 mensaje nuevo')
  await bubble(ana, '¿Siguen ahí?').waitFor()
  await expect
    .poll(() => thread(ana).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
    .toBeLessThan(2)
  // When scrolled to the end, the view stays at the end.
  await hernan.says('Aquí espero')
  await bubble(ana, 'Aquí espero').waitFor()
  await expect
    .poll(() => thread(ana).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
    .toBeLessThan(2)

  // A quote links to the quoted message even if its page is not loaded yet.
  await ana.page.reload()
  await bubble(ana, 'Aquí espero').waitFor()
  expect(await bubble(ana, /^El primero de todos/).count()).toBe(0)
  await ana.click(/^Hernán Paz El primero/)
  const source = bubble(ana, /^El primero de todos/)
  await source.waitFor()
  await expect.poll(() => source.evaluate((one) => document.activeElement === one)).toBe(true)

  // A search hit also scrolls to its message, repeatedly, and the URL remains the URL of the ticket.
  await ana.page.reload()
  await bubble(ana, 'Aquí espero').waitFor()
  await ana.byRole('tab', /^Buscar/).click()
  await ana.page.getByRole('searchbox').fill('mensaje 15')
  const found = ana.page.locator('[data-opener]').filter({ hasText: 'Hernán Paz' })
  await ana.page.locator('mark').getByText('Mensaje 15').waitFor()
  const meant = bubble(ana, /^Mensaje 15(?!\d)/)
  for (let times = 0; times < 2; times++) {
    await found.click()
    await meant.waitFor()
    await expect.poll(() => meant.evaluate((one) => document.activeElement === one)).toBe(true)
    await expect.poll(() => topOf(meant)).toBeGreaterThan(0)
    await ana.page.waitForURL(new RegExp(`/tickets/${uuid}$`))
    await scrollTo(ana, await thread(ana).evaluate((box) => box.scrollHeight))
  }

  // Search within the conversation goes from the newest hit to the oldest, and highlights them.
  await ana.page.reload()
  await bubble(ana, 'Aquí espero').waitFor()
  // What is typed while the bar loads is in the bar, and not in the composer.
  const typed = Promise.withResolvers<void>()
  await ana.page.route('**/assets/*.js', async (route) => {
    await typed.promise
    await route.fallback()
  })
  await ana.page.keyboard.press('ControlOrMeta+f')
  await ana.page.keyboard.type('PRIMERO')
  // A message that arrives meanwhile changes nothing about it.
  await hernan.says('Ya vuelvo')
  await bubble(ana, 'Ya vuelvo').waitFor()
  typed.resolve()
  const field = ana.page.getByRole('search').getByRole('textbox')
  await expect.poll(() => field.inputValue()).toBe('PRIMERO')
  expect(await ana.field('Mensaje').inputValue()).toBe('')
  await ana.expectText('1 de 2')
  await field.press('Enter')
  await ana.expectText('2 de 2')
  await source.waitFor()
  const marked = () => ana.page.evaluate(() => [...(CSS.highlights.get('rc-found-here') ?? [])].map(String))
  await expect.poll(marked).toEqual(['primero'])
  await expect.poll(() => topOf(source)).toBeGreaterThan(0)
  await expect.poll(() => field.evaluate((one) => document.activeElement === one)).toBe(true)
  await ana.takeScreenshot('conversation-find')
  await ana.checkAccessibility()
  await ana.click('Resultado siguiente')
  await ana.expectText('1 de 2')
  await field.fill('nada de esto')
  await ana.expectText('Sin resultados')
  await field.press('Escape')
  await ana.expectHidden(field)
  await ana.page.keyboard.press('ControlOrMeta+f')
  await expect.poll(() => field.inputValue()).toBe('')
})

test('opens pictures in full size and steps through them with the arrow keys', async () => {
  const { company, line } = await atDesk()
  const clara = line.customer('5491155550003', 'Clara Sosa')
  await clara.sends(pictureNamed('uno.png'), { body: 'Primera' })
  await clara.sends(pictureNamed('dos.png'), { body: `Segunda, ${'con mucho que contar '.repeat(12)}` })
  const { id, uuid } = await take(company.admin)
  await unread(company.admin, id, 2)
  // A file that is not downloaded yet is fetched from the phone on request.
  const { db } = desk.server().wide()
  const fetched = () => db.selectFrom('messages').select('mediaState').where('body', '=', 'Primera').executeTakeFirst()
  await expect.poll(async () => (await fetched())?.mediaState).toBe('ready')
  const failed = { mediaState: 'failed' as const, mediaPath: null, error: 'past-media' }
  await db.updateTable('messages').set(failed).where('body', '=', 'Primera').execute()
  const ana = await reading(uuid, 'Clara Sosa')
  await ana.expectText(/^Es un mensaje anterior y quedó en el teléfono/, thread(ana))
  await ana.takeScreenshot('conversation-past-media')
  await ana.click('Descargar archivo', 'button', bubble(ana, 'Primera'))
  await ana.click('Ver en grande: Primera')
  await ana.expectText(/1 de 2/, ana.dialog)
  const picture = ana.dialog.getByRole('img', { name: 'Primera' })
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  const width = async () => (await ana.stableBox(picture)).width
  const fits = await width()
  await ana.click('Ampliar', 'button', ana.dialog)
  await expect.poll(width).toBeGreaterThan(2 * fits)
  await ana.page.keyboard.press('-')
  await expect.poll(width).toBe(fits)
  await ana.page.keyboard.press('ArrowRight')
  await ana.expectText(/2 de 2/, ana.dialog)
  await ana.byRole('link', /^Descargar/, ana.dialog).waitFor()
  await ana.checkAccessibility()
  // The close button stays on the screen whatever the length of the caption.
  expect((await ana.byRole('button', 'Cerrar', ana.dialog).boundingBox())?.x).toBeLessThan(desktopViewport.width)
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
})

test('shows the name of every member of a group, also on a phone', async () => {
  const company = await desk.server().createCompany()
  await company.admin.request('PUT', '/settings/CheckMsgIsGroup', { key: 'CheckMsgIsGroup', value: 'disabled' })
  const line = await desk.server().openLine(company)
  const [rosa, hernan] = [line.customer('573005550192', 'Rosa'), line.customer('5491155550001', 'Don Hernán')]
  const others = Array.from({ length: 8 }, (_, i) => `549115555100${i}`)
  const group = await line.group('Obra Torre 4', [rosa.number, hernan.number, ...others])
  await rosa.says('Llegaron las bolsas', { group: group.number })
  await hernan.says('Faltan 2', { group: group.number })
  await hernan.says('¿Cuándo vienen?', { group: group.number })
  const { uuid } = await take(company.admin)
  const ana = await desk.open(company.admin, `/tickets/${uuid}`, { viewport: phoneViewport })
  await ana.expectText('Rosa', bubble(ana, 'Llegaron las bolsas'))
  await ana.expectText('Don Hernán', bubble(ana, 'Faltan 2'))
  await ana.expectHidden('Don Hernán', bubble(ana, '¿Cuándo vienen?'))
  await ana.expectText('Obra Torre 4', ana.page.locator('header'))
  // A long press on a message opens its menu.
  const { x, y, width, height } = await ana.stableBox(bubble(ana, 'Faltan 2'))
  const hand = await ana.page.context().newCDPSession(ana.page)
  const at = [{ x: x + width / 2, y: y + height / 2 }]
  await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at })
  await ana.byRole('menuitem', 'Copiar texto').waitFor()
  await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await ana.takeScreenshot('conversation-menu-phone')
  await ana.click('Responder', 'menuitem')
  await ana.expectText('Respondiendo a Don Hernán')
  await ana.takeScreenshot('conversation-group-phone')
  // The drawer lists the members, with a search when there are many.
  await ana.click(/Obra Torre/, 'button', ana.page.locator('header'))
  const members = ana.byRole('region', 'Miembros 11')
  for (const words of ['Don Hernán', '+54 9 11 5555-0001', 'Admin']) await ana.expectText(words, members)
  await expect.poll(() => members.getByRole('listitem').count()).toBe(8)
  await ana.click('Ver los 11 miembros', 'button', members)
  await ana.expectText('Esta línea', members)
  await ana.takeScreenshot('drawer-group-phone')
  await ana.fill('Buscar miembro', 'hernan', members)
  await expect.poll(() => members.getByRole('listitem').count()).toBe(1)
  await ana.checkAccessibility()
})

test('shows two agents each other’s presence, and shows both the customer’s typing', async () => {
  const { company, line } = await atDesk()
  const nadia = line.customer('5491155550005', 'Nadia Luz')
  await nadia.says('Hola')
  const { uuid } = await take(company.admin)
  const second = await company.user('admin')
  const ana = await reading(uuid, 'Nadia Luz')
  await bubble(ana, 'Hola').waitFor()
  const beto = await desk.open(second, `/tickets/${uuid}`)
  await bubble(beto, 'Hola').waitFor()
  await ana.byRole('img', /también lo está viendo$/).waitFor()
  await beto.byRole('img', /también lo está viendo$/).waitFor()
  await company.admin.call(sandboxApi.typing, {
    params: { whatsappId: line.id },
    body: { from: nadia.number, typing: true },
  })
  await ana.page.getByText('Nadia Luz está escribiendo').waitFor({ state: 'attached' })
  // Freeze the clock, so that the typing indicator does not time out during the check.
  desk.server().clock.freeze()
  onTestFinished(() => desk.server().clock.resume())
  await beto.field('Mensaje').pressSequentially('Ya')
  await ana.expectText(/está escribiendo una respuesta$/)
  await nadia.says('¿Hay alguien?')
  await bubble(beto, '¿Hay alguien?').waitFor()
  await beto.page.getByText('Nadia Luz: ¿Hay alguien?').waitFor({ state: 'attached' })
})

test('hides older conversations that move to a queue the agent cannot see, and shows them again when they return', async () => {
  const d = await openDesk(desk.server())
  const [sales, support] = [await d.createQueue('Ventas'), await d.createQueue('Soporte')]
  const agent = await d.createUser('user', [sales])
  const put = (id: number, body: object) => d.admin.request('PUT', `/tickets/${id}`, body)
  const sol = d.line.customer('51987650044', 'Sol Núñez')
  const old = await d.waitForMessage(await sol.says('Uno, de antes'))
  await put(old.ticketId, { queueId: sales.id })
  await put(old.ticketId, { status: 'closed' })
  const next = await d.waitForMessage(await sol.says('Dos, lo primero'))
  await put(next.ticketId, { queueId: sales.id })
  for (let n = 2; n <= 25; n++) await sol.says(`Dos ${n}`)
  const beto = await desk.open(agent, `/tickets/${(await d.showTicket(old.ticketId)).uuid}`)
  await bubble(beto, /^Dos 25/).waitFor()
  await scrollTo(beto, 49)
  const above = [bubble(beto, 'Uno, de antes'), bubble(beto, 'Dos, lo primero')]
  for (const one of above) await one.waitFor({ state: 'attached' })
  await beto.waitUntilLive()
  await put(next.ticketId, { queueId: support.id })
  await expect.poll(() => bubble(beto, /^Dos/).count()).toBe(0)
  await bubble(beto, 'Uno, de antes').waitFor()
  await put(next.ticketId, { queueId: sales.id })
  await bubble(beto, /^Dos 25/).waitFor()
})
