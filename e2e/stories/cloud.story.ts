import { contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { connectionsApi } from '@recado/contract/connections'
import { contactsApi } from '@recado/contract/contacts'
import { lineSignupApi } from '@recado/contract/health/line-signup'
import { settingsApi } from '@recado/contract/settings'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, expect, test } from 'vitest'
import { openCloudLine, quickCloudTimings, unixSeconds } from '../../server/test/cloud-phone.ts'
import { type FakeGraph, fakeGraph, fakeMetaApp, signWebhookBody } from '../../server/test/fake-graph.ts'
import { type TestUser, testServer } from '../../server/test/test-server.ts'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage, desktopViewport, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

let graph: FakeGraph
/** A server whose official lines connect to a fake Meta API. */
const desk = createStage(async () => {
  graph = await fakeGraph()
  return testServer({ graphUrl: graph.base, metaApp: fakeMetaApp }, undefined, { cloud: quickCloudTimings })
})
afterAll(() => graph?.close())

const thread = (ana: Visitor) => ana.page.locator('[data-thread]')
const bubble = (ana: Visitor, text: string | RegExp) => thread(ana).locator('[data-message]').filter({ hasText: text })
const box = (ana: Visitor) => ana.byRole('region', 'Redactar')
const day = 24 * 3600_000

test('lets an admin connect an official line and shows what to enter at Meta', async () => {
  const { admin } = await desk.server().createCompany()
  const account = graph.createAccount()
  const ana = await desk.open(admin, '/connections')
  await ana.click('Nueva línea')
  await ana.fill('Nombre', 'Oficial', ana.dialog)
  await ana.byRole('radio', 'API oficial de WhatsApp', ana.dialog).check()
  await ana.click('API oficial', 'tab', ana.dialog)
  await ana.fill('Identificador del número', 'el de la tienda', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Hay 1 campo por corregir', ana.dialog)
  await ana.fill('Identificador del número', account.phoneNumberId, ana.dialog)
  await ana.fill('Identificador de la cuenta', account.businessAccountId, ana.dialog)
  await ana.fill('Token de acceso', 'withdrawn', ana.dialog)
  await ana.fill('Clave secreta de la app', account.appSecret, ana.dialog)
  await ana.takeScreenshot('cloud-form')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Línea creada')
  // The error is shown above the remaining steps.
  await ana.expectText('Meta rechazó el token: venció o fue revocado.', ana.dialog)
  await expect.poll(() => ana.field('URL de devolución de llamada', ana.dialog).inputValue()).toContain('/webhook')
  await expect.poll(() => ana.field('Token de verificación', ana.dialog).inputValue()).not.toBe('')
  await ana.byRole('button', 'Copiar la dirección', ana.dialog).waitFor()
  await ana.takeScreenshot('cloud-webhook')
  await ana.checkAccessibility()
  await ana.click('Editar la línea', 'button', ana.dialog)
  await ana.click('API oficial', 'tab', ana.dialog)
  // The token is write-only.
  await expect.poll(() => ana.field('Token de acceso', ana.dialog).inputValue()).toBe('')
  const kept = () => ana.field('Token de acceso', ana.dialog).getAttribute('placeholder')
  await expect.poll(kept).toMatch(/^Guardado/)
  await ana.fill('Token de acceso', account.accessToken, ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Línea guardada')
  await ana.expectText('Conectada', ana.row('Oficial'))
  await ana.expectHidden(ana.byRole('button', 'Nuevo QR: Oficial'))
  await ana.takeScreenshot('connections-cloud')

  // Meta's reports are on the line, with what to do.
  const row = (await admin.call(connectionsApi.list, {})).find(({ name }) => name === 'Oficial')
  const webhookPath = new URL(row?.cloud?.webhookUrl ?? '').pathname
  const number = { display_phone_number: '15550102030' }
  const template = { message_template_name: 'oferta', message_template_language: 'es' }
  const changes = [
    { field: 'phone_number_quality_update', value: { ...number, event: 'FLAGGED', current_limit: 'TIER_250' } },
    { field: 'message_template_status_update', value: { ...template, event: 'PAUSED' } },
  ]
  const text = JSON.stringify({ entry: [{ id: account.businessAccountId, time: 1_790_000_000, changes }] })
  const signature = { 'x-hub-signature-256': signWebhookBody(account.appSecret, text) }
  const answer = await fetch(desk.server().address + webhookPath, { method: 'POST', headers: signature, body: text })
  expect(answer.status).toBe(200)
  await ana.click(/^Oficial: Calidad baja · 0 de 250 en 24 h/)
  await ana.expectText('Qué hacer', ana.dialog)
  await ana.expectText('Plantilla oferta · es: en pausa', ana.dialog)
  await ana.takeScreenshot('line-health')
  await ana.checkAccessibility()
})

test('connects a number that stays on the phone with Meta, saying before what the phone will do', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/connections')
  const begin = async () => {
    await ana.click('Nueva línea')
    await ana.byRole('radio', 'API oficial de WhatsApp', ana.dialog).check()
    await ana.click('API oficial', 'tab', ana.dialog)
    await ana.click('Conectar con Meta', 'button', ana.dialog)
    await ana.expectText(/^La app sigue funcionando con el mismo número/, ana.dialog)
  }
  /** Meta's window comes back to our own address, hands over what it got, and closes. */
  const continueAtMeta = async () => {
    const [popup] = await Promise.all([
      ana.page.waitForEvent('popup'),
      ana.click('Continuar con Meta', 'button', ana.dialog),
    ])
    if (!popup.isClosed()) await popup.waitForEvent('close')
  }
  // The person refuses first: nothing has changed.
  graph.refuseDialog()
  await begin()
  await ana.takeScreenshot('line-signup')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('line-signup-phone')
  await ana.page.setViewportSize(desktopViewport)
  await continueAtMeta()
  await ana.expectText('Cancelaste en la ventana de Meta. No cambió nada.', ana.dialog)
  await ana.click('Empezar de nuevo', 'button', ana.dialog)

  const first = graph.createAccount()
  const second = graph.createAccount({ ...first, phoneNumberId: '7720002' })
  graph.grantCode(first, second)
  await continueAtMeta()
  await ana.expectText('¿Qué número quieres conectar?', ana.dialog)
  // The number that is on the phone is offered first.
  expect(await ana.byRole('radio', '+1 555 010-2030', ana.dialog).isChecked()).toBe(true)
  await ana.takeScreenshot('line-signup-numbers')
  await ana.checkAccessibility()
  await ana.click('Conectar este número', 'button', ana.dialog)
  await ana.expectAndCloseToast('Tienda está conectada con Meta')
  await ana.expectText('Conectada', ana.row('Tienda'))
  await expect.poll(() => graph.phoneAppSyncs).toEqual(['smb_app_state_sync', 'history'])
  await ana.takeScreenshot('line-signup-finished')
  // Nothing has to be copied to Meta.
  await ana.click('Editar Tienda')
  await ana.click('API oficial', 'tab', ana.dialog)
  await ana.expectText('Conectada con Meta', ana.dialog)
  await ana.expectHidden('URL de devolución de llamada', ana.dialog)
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('line-signup-finished-phone')

  // Without a window that waits, the one that comes back from Meta finishes by itself.
  const body = { history: false, name: 'Sucursal', whatsappId: null }
  const { state } = await admin.call(lineSignupApi.begin, { body })
  const code = graph.grantCode(graph.createAccount())
  await ana.page.goto(`${desk.server().address}/connections?code=${code}&state=${state}`)
  await ana.expectAndCloseToast('Sucursal está conectada con Meta')
  expect(ana.page.url()).not.toContain('code=')
})

const template = (name: string, text: string, more: object[] = []) => ({
  id: `${name}-es`,
  name,
  language: 'es',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text, example: { body_text: [['Ana', '77']] } }, ...more],
})

/** A ticket whose customer last wrote `ago` milliseconds ago, accepted by this person. */
async function conversation(admin: TestUser, line: Awaited<ReturnType<typeof openCloudLine>>, ago: number) {
  const lucia = line.customer('5491155550001', 'Lucía Campos')
  await lucia.says('Hola, ¿ya salió?', { timestamp: unixSeconds(Date.now() - ago) })
  const waiting = async () => (await admin.call(ticketsApi.list, { query: { status: 'pending' } })).tickets[0]
  await expect.poll(waiting).toBeTruthy()
  const { id, uuid } = (await waiting()) as { id: number; uuid: string }
  await admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: admin.id } as never })
  return { lucia, path: `/tickets/${uuid}` }
}

test('allows only templates after 24 hours without a customer message, and shows the countdown after an answer', async () => {
  const { admin } = await desk.server().createCompany()
  graph.templates.push(
    template('pedido_listo', 'Hola {{1}}, tu pedido {{2}} está *listo*.', [
      { type: 'FOOTER', text: 'Ferretería Andina' },
    ]),
    template('encuesta', '¿Cómo te atendimos?'),
    template('catalogo', 'Mira lo nuevo', [{ type: 'HEADER', format: 'IMAGE' }]),
  )
  const line = await openCloudLine(admin, graph, { name: 'Oficial' })
  await line.waitForStatus('CONNECTED')
  const { lucia, path } = await conversation(admin, line, 25 * 3600_000)
  const ana = await desk.open(admin, path)
  await ana.expectText('Pasaron 24 h desde su último mensaje', box(ana))
  await bubble(ana, 'Hola, ¿ya salió?').waitFor()
  await ana.takeScreenshot('cloud-window-over')
  await ana.hoverAndClick(bubble(ana, 'Hola, ¿ya salió?'), 'Más acciones del mensaje')
  await ana.expectText('Pasaron 24 h desde su último mensaje: solo se pueden enviar plantillas.')
  await expect.poll(() => ana.byRole('menuitem', 'Reaccionar con 👍').getAttribute('aria-disabled')).toBe('true')
  await ana.page.keyboard.press('Escape')
  await ana.click('Elegir plantilla', 'button', box(ana))
  await ana.byRole('button', /^encuesta/, ana.dialog).waitFor()
  await ana.fill('Buscar plantilla', 'pedido', ana.dialog)
  await ana.expectHidden('encuesta', ana.dialog)
  await ana.click(/^pedido_listo/, 'button', ana.dialog)
  await ana.click('Enviar', 'button', ana.dialog)
  await expect.poll(() => ana.dialog.getByText('Campo obligatorio').count()).toBe(2)
  await ana.fill('Texto: dato 1', 'Lucía', ana.dialog)
  await ana.expectText(/^Hola Lucía, tu pedido \{\{2\}\} está/, ana.byRole('region', 'La plantilla elegida'))
  await ana.fill('Texto: dato 2', '1042', ana.dialog)
  await ana.takeScreenshot('cloud-templates')
  await ana.checkAccessibility()
  await ana.click('Enviar', 'button', ana.dialog)
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await bubble(ana, 'Hola Lucía, tu pedido 1042 está listo.').waitFor()
  await expect.poll(() => graph.acceptedSends.at(-1)?.body.type).toBe('template')

  const sent = graph.acceptedSends.at(-1)
  if (!sent) throw new Error('nothing was sent')
  await line.deliverChanges(line.status(sent, 'failed', 131049))
  await ana.expectText(/^No se envió: Meta decidió no entregarlo.*\(131049\)$/, thread(ana))
  await ana.takeScreenshot('cloud-failure')

  await lucia.says('Sí, gracias')
  await bubble(ana, 'Sí, gracias').waitFor()
  await ana.field('Mensaje').waitFor()
  await ana.expectText(/23 h 5\d min$/, box(ana))
  // The ad that brought the customer back is in the thread, and is a filter of the list.
  const ad = { source_type: 'ad', source_id: '77', source_url: 'https://fb.me/x', headline: 'Zapatos 2x1', body: 'Hoy' }
  await lucia.says('¿Sigue la oferta?', { referral: { ...ad, ctwa_clid: 'c1' } })
  await ana.expectText('Llegó por un anuncio', bubble(ana, '¿Sigue la oferta?'))
  await ana.expectText('Zapatos 2x1', bubble(ana, '¿Sigue la oferta?'))
  await ana.takeScreenshot('cloud-countdown')
  await ana.checkAccessibility()
  // A template can be sent at any time.
  await ana.click('Plantillas', 'button', box(ana))
  await ana.byRole('button', /^encuesta/, ana.dialog).waitFor()
  await ana.page.keyboard.press('Escape')
})

test('lets an agent choose a template and then fill it in on a phone', async () => {
  const { admin } = await desk.server().createCompany()
  const line = await openCloudLine(admin, graph)
  await line.waitForStatus('CONNECTED')
  const { path } = await conversation(admin, line, 3 * day)
  const ana = await desk.open(admin, path, { viewport: phoneViewport })
  await ana.click('Elegir plantilla', 'button', box(ana))
  await ana.byRole('button', /^pedido_listo/, ana.dialog).waitFor()
  await ana.takeScreenshot('cloud-templates-phone')
  await ana.click(/^pedido_listo/, 'button', ana.dialog)
  await ana.fill('Texto: dato 1', 'Lucía', ana.dialog)
  await ana.takeScreenshot('cloud-template-phone')
  await ana.checkAccessibility()
  await ana.click('Otras', 'button', ana.dialog)
  // A template with a header picture requires a picture before sending.
  await ana.click(/^catalogo/, 'button', ana.dialog)
  await ana.click('Enviar', 'button', ana.dialog)
  await ana.expectText('Elige un archivo', ana.dialog)
  await ana.dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'nuevo.png', mimeType: 'image/png', buffer: tinyPng })
  await ana.expectHidden('Elige un archivo')
  await ana.takeScreenshot('cloud-template-media-phone')
  await ana.click('Enviar', 'button', ana.dialog)
  await bubble(ana, 'Mira lo nuevo').getByRole('img').first().waitFor()
  await expect.poll(() => graph.acceptedSends.at(-1)?.body.type).toBe('template')
})

test('sends a campaign on an official line as an approved template, filled in per recipient', async () => {
  const { admin } = await desk.server().createCompany()
  await admin.call(settingsApi.update, { params: { key: 'campaignsEnabled' }, body: { value: 'true' } })
  graph.templates.push(template('otono', 'Hola {{1}}, vuelven los lagos.'))
  const line = await openCloudLine(admin, graph, { name: 'Oficial' })
  await line.waitForStatus('CONNECTED')
  await line.deliverChanges(line.change({ max_daily_conversation_per_phone: 250 }, 'business_capability_update'))
  await line.customer('5491155550044', 'Lucía Campos').says('hola')
  const question = { tagIds: [], queueIds: [], adIds: [], wroteFrom: '2020-01-01', wroteUntil: null, field: null }
  const counted = async () => (await admin.call(contactListsApi.count, { body: question })).count
  await expect.poll(counted).toBe(1)
  await admin.call(contactListsApi.create, { body: { name: 'Escribieron', question } })

  const ana = await desk.open(admin, '/campaigns/new')
  await ana.fill('Nombre', 'Otoño')
  await ana.selectOption('Lista de contactos', 'Escribieron')
  await ana.selectOption('Línea', 'Oficial')
  await ana.expectText(/^Línea oficial: quien no escribió/)
  await ana.selectOption('Plantilla', 'otono · es')
  await ana.fill('Dato 1', '{nome}')
  await ana.expectText('Hola Lucía Campos, vuelven los lagos.')
  await ana.expectText('persona lo recibe')
  await ana.expectText('Meta permite escribir primero a 250 personas en 24 h. Así se completa en 1 día.')
  await ana.expectText(/^hasta 0,026.USD$/)
  await ana.expectText('Los precios son un ejemplo: compáralos con la lista de Meta.')
  await ana.takeScreenshot('campaign-template')
  await ana.checkAccessibility()
  const before = graph.acceptedSends.length
  await ana.click('Empezar ahora')
  await ana.confirm('Empezar')
  await ana.expectAndCloseToast('Campaña en curso')
  await expect.poll(() => graph.acceptedSends.length).toBe(before + 1)
  const sent = graph.acceptedSends.at(-1)
  if (!sent) throw new Error('nothing was sent')
  expect(sent.body).toMatchObject({ type: 'template', template: { name: 'otono' } })
  expect(JSON.stringify(sent.body)).toContain('Lucía Campos')
  const pricing = { billable: true, type: 'regular', category: 'utility' }
  await line.deliverChanges(line.status(sent, 'delivered', undefined, { recipient_id: '5491155550044', pricing }))
  await expect.poll(() => ana.byRole('button', /^Entregados 1/).count()).toBe(1)
  await ana.page.reload()
  await ana.expectText(/Costó 0,026.USD$/)
  await ana.takeScreenshot('campaign-cost')
  const panel = await desk.open(admin, '/?days=30')
  const costs = panel.page.getByRole('heading', { name: 'Costo de los mensajes oficiales' })
  await expect
    .poll(async () => {
      await panel.page
        .locator('main [class*=body]')
        .first()
        .evaluate((one) => one.scrollBy(0, 400))
      return costs.count()
    })
    .toBe(1)
  await costs.scrollIntoViewIfNeeded()
  await panel.expectText(/^0,026.USD en estas fechas$/)
  await panel.takeScreenshot('dashboard-costs')
})

test('moves the conversations of a linked phone to an official line, saying before what changes', async () => {
  const { admin } = await desk.server().createCompany()
  const line = await openCloudLine(admin, graph, { name: 'Oficial' })
  await line.waitForStatus('CONNECTED')
  const { id } = await admin.call(connectionsApi.create, { body: { name: 'Teléfono', provider: 'beta' } as never })
  const contact = await admin.call(contactsApi.create, { body: { name: 'Sol', number: '5491155550077' } as never })
  const body = { contactId: contact.id, whatsappId: id, queueId: null, userId: admin.id, status: 'open' }
  const ticket = await admin.call(ticketsApi.create, { body: body as never })

  const ana = await desk.open(admin, '/connections')
  await ana.click('Más acciones de Teléfono')
  await ana.click('Pasar a otra línea', 'menuitem')
  await ana.expectText('1 conversación abierta', ana.dialog)
  await ana.expectText(/^Quien no escribió en las últimas 24 horas solo recibe plantillas/, ana.dialog)
  await ana.takeScreenshot('line-move')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('line-move-phone')
  await ana.click('Pasar las conversaciones', 'button', ana.dialog)
  await ana.expectAndCloseToast('Las conversaciones pasan a Oficial')
  const lineOfTicket = async () => (await admin.call(ticketsApi.show, { params: { id: ticket.id } })).whatsappId
  await expect.poll(lineOfTicket).toBe(line.id)
})
