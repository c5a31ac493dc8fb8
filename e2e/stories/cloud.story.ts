import { contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { settingsApi } from '@recado/contract/settings'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, expect, test } from 'vitest'
import { openCloudLine, quickCloudTimings, unixSeconds } from '../../server/test/cloud-phone.ts'
import { type FakeGraph, fakeGraph } from '../../server/test/fake-graph.ts'
import { type TestUser, testServer } from '../../server/test/test-server.ts'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

let graph: FakeGraph
/** A server whose official lines connect to a fake Meta API. */
const desk = createStage(async () => {
  graph = await fakeGraph()
  return testServer({ graphUrl: graph.base }, undefined, { cloud: quickCloudTimings })
})
afterAll(() => graph?.close())

const thread = (ana: Visitor) => ana.page.locator('[data-thread]')
const bubble = (ana: Visitor, text: string | RegExp) => thread(ana).locator('[data-message]').filter({ hasText: text })
const box = (ana: Visitor) => ana.the('region', 'Redactar')
const day = 24 * 3600_000

test('lets an admin connect an official line and shows what to enter at Meta', async () => {
  const { admin } = await desk.house().company()
  const account = graph.account()
  const ana = await desk.open(admin, '/connections')
  await ana.press('Nueva línea')
  await ana.write('Nombre', 'Oficial', ana.dialog)
  await ana.the('radio', 'API oficial de WhatsApp', ana.dialog).check()
  await ana.press('API oficial', 'tab', ana.dialog)
  await ana.write('Identificador del número', 'el de la tienda', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Falta 1 dato por corregir', ana.dialog)
  await ana.write('Identificador del número', account.phoneNumberId, ana.dialog)
  await ana.write('Identificador de la cuenta', account.businessAccountId, ana.dialog)
  await ana.write('Token de acceso', 'withdrawn', ana.dialog)
  await ana.write('Clave secreta de la app', account.appSecret, ana.dialog)
  await ana.shot('cloud-form')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Línea creada')
  // The error is shown above the remaining steps.
  await ana.sees('Meta no acepta el token: venció o fue retirado.', ana.dialog)
  await expect.poll(() => ana.field('URL de devolución de llamada', ana.dialog).inputValue()).toContain('/webhook')
  await expect.poll(() => ana.field('Token de verificación', ana.dialog).inputValue()).not.toBe('')
  await ana.the('button', 'Copiar la dirección', ana.dialog).waitFor()
  await ana.shot('cloud-webhook')
  await ana.scan()
  await ana.press('Editar la línea', 'button', ana.dialog)
  await ana.press('API oficial', 'tab', ana.dialog)
  // The token is write-only.
  await expect.poll(() => ana.field('Token de acceso', ana.dialog).inputValue()).toBe('')
  const kept = () => ana.field('Token de acceso', ana.dialog).getAttribute('placeholder')
  await expect.poll(kept).toMatch(/^Guardado/)
  await ana.write('Token de acceso', account.accessToken, ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Línea guardada')
  await ana.sees('Conectada', ana.row('Oficial'))
  await ana.misses(ana.the('button', 'Nuevo QR: Oficial'))
  await ana.shot('connections-cloud')
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
  const { admin } = await desk.house().company()
  graph.templates.push(
    template('pedido_listo', 'Hola {{1}}, tu pedido {{2}} está *listo*.', [
      { type: 'FOOTER', text: 'Ferretería Andina' },
    ]),
    template('encuesta', '¿Cómo te atendimos?'),
    template('catalogo', 'Mira lo nuevo', [{ type: 'HEADER', format: 'IMAGE' }]),
  )
  const line = await openCloudLine(admin, graph, { name: 'Oficial' })
  await line.reaches('CONNECTED')
  const { lucia, path } = await conversation(admin, line, 25 * 3600_000)
  const ana = await desk.open(admin, path)
  await ana.sees('Pasaron 24 h desde su último mensaje', box(ana))
  await bubble(ana, 'Hola, ¿ya salió?').waitFor()
  await ana.shot('cloud-window-over')
  await ana.pressUnder(bubble(ana, 'Hola, ¿ya salió?'), 'Más acciones del mensaje')
  await ana.sees('Pasaron 24 h desde su último mensaje: solo salen plantillas.')
  await expect.poll(() => ana.the('menuitem', 'Reaccionar con 👍').getAttribute('aria-disabled')).toBe('true')
  await ana.page.keyboard.press('Escape')
  await ana.press('Elegir plantilla', 'button', box(ana))
  await ana.the('button', /^encuesta/, ana.dialog).waitFor()
  await ana.write('Buscar plantilla', 'pedido', ana.dialog)
  await ana.misses('encuesta', ana.dialog)
  await ana.press(/^pedido_listo/, 'button', ana.dialog)
  await ana.press('Enviar', 'button', ana.dialog)
  await expect.poll(() => ana.dialog.getByText('Falta este dato').count()).toBe(2)
  await ana.write('Texto: dato 1', 'Lucía', ana.dialog)
  await ana.sees(/^Hola Lucía, tu pedido \{\{2\}\} está/, ana.the('region', 'La plantilla elegida'))
  await ana.write('Texto: dato 2', '1042', ana.dialog)
  await ana.shot('cloud-templates')
  await ana.scan()
  await ana.press('Enviar', 'button', ana.dialog)
  await ana.misses(ana.page.getByRole('dialog'))
  await bubble(ana, 'Hola Lucía, tu pedido 1042 está listo.').waitFor()
  await expect.poll(() => graph.taken.at(-1)?.body.type).toBe('template')

  const sent = graph.taken.at(-1)
  if (!sent) throw new Error('nothing was sent')
  await line.told(line.status(sent, 'failed', 131049))
  await ana.sees(/^No se envió: Meta decidió no entregarlo.*\(131049\)$/, thread(ana))
  await ana.shot('cloud-failure')

  await lucia.says('Sí, gracias')
  await bubble(ana, 'Sí, gracias').waitFor()
  await ana.field('Mensaje').waitFor()
  await ana.sees(/23 h 5\d min$/, box(ana))
  await ana.shot('cloud-countdown')
  await ana.scan()
  // A template can be sent at any time.
  await ana.press('Plantillas', 'button', box(ana))
  await ana.the('button', /^encuesta/, ana.dialog).waitFor()
  await ana.page.keyboard.press('Escape')
})

test('lets an agent choose a template and then fill it in on a phone', async () => {
  const { admin } = await desk.house().company()
  const line = await openCloudLine(admin, graph)
  await line.reaches('CONNECTED')
  const { path } = await conversation(admin, line, 3 * day)
  const ana = await desk.open(admin, path, { viewport: phoneViewport })
  await ana.press('Elegir plantilla', 'button', box(ana))
  await ana.the('button', /^pedido_listo/, ana.dialog).waitFor()
  await ana.shot('cloud-templates-phone')
  await ana.press(/^pedido_listo/, 'button', ana.dialog)
  await ana.write('Texto: dato 1', 'Lucía', ana.dialog)
  await ana.shot('cloud-template-phone')
  await ana.scan()
  await ana.press('Otras', 'button', ana.dialog)
  // A template with a header picture requires one before sending.
  await ana.press(/^catalogo/, 'button', ana.dialog)
  await ana.press('Enviar', 'button', ana.dialog)
  await ana.sees('Falta el archivo', ana.dialog)
  await ana.dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'nuevo.png', mimeType: 'image/png', buffer: tinyPng })
  await ana.misses('Falta el archivo')
  await ana.shot('cloud-template-media-phone')
  await ana.press('Enviar', 'button', ana.dialog)
  await bubble(ana, 'Mira lo nuevo').getByRole('img').first().waitFor()
  await expect.poll(() => graph.taken.at(-1)?.body.type).toBe('template')
})

test('sends a campaign on an official line as an approved template, filled in per recipient', async () => {
  const { admin } = await desk.house().company()
  await admin.call(settingsApi.update, { params: { key: 'campaignsEnabled' }, body: { value: 'true' } })
  graph.templates.push(template('otono', 'Hola {{1}}, vuelven los lagos.'))
  const line = await openCloudLine(admin, graph, { name: 'Oficial' })
  await line.reaches('CONNECTED')
  await line.customer('5491155550044', 'Lucía Campos').says('hola')
  const question = { tagIds: [], queueIds: [], wroteFrom: '2020-01-01', wroteUntil: null, field: null }
  const counted = async () => (await admin.call(contactListsApi.count, { body: question })).count
  await expect.poll(counted).toBe(1)
  await admin.call(contactListsApi.create, { body: { name: 'Escribieron', question } })

  const ana = await desk.open(admin, '/campaigns/new')
  await ana.write('Nombre', 'Otoño')
  await ana.choose('Lista de contactos', 'Escribieron')
  await ana.choose('Línea', 'Oficial')
  await ana.sees(/^Línea oficial: a quien no escribió/)
  await ana.choose('Plantilla', 'otono · es')
  await ana.write('Dato 1', '{nome}')
  await ana.sees('Hola Lucía Campos, vuelven los lagos.')
  await ana.sees('persona lo recibe')
  await ana.shot('campaign-template')
  await ana.scan()
  const before = graph.taken.length
  await ana.press('Empezar ahora')
  await ana.confirm('Empezar')
  await ana.told('Campaña en curso')
  await expect.poll(() => graph.taken.length).toBe(before + 1)
  const sent = graph.taken.at(-1)
  if (!sent) throw new Error('nothing was sent')
  expect(sent.body).toMatchObject({ type: 'template', template: { name: 'otono' } })
  expect(JSON.stringify(sent.body)).toContain('Lucía Campos')
  await line.told(line.status(sent, 'delivered'))
  await expect.poll(() => ana.the('button', /^Entregados 1/).count()).toBe(1)
})
