import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, expect, test } from 'vitest'
import { createCustomer, createShop, type LinkedServer, openLinkedServer } from '../../server/test/linked-phone.ts'
import { createStage, desktopViewport, phoneViewport } from '../browser.ts'

let wa: LinkedServer['wa']
/** A server connected to a fake WhatsApp: the real client library links a phone there. */
const desk = createStage(async () => {
  // Long timeouts: the code must stay valid, and a request to the phone pending, for the whole story.
  const linked = await openLinkedServer({ qrMs: 600_000, pastAnswerMs: 600_000 })
  wa = linked.wa
  return linked.h
})
afterAll(() => wa?.close())

test('links a phone by an eight-character code, receives a message, and explains what to do after a disconnect', async () => {
  const { admin } = await desk.house().company()
  const owner = createShop({ wa })
  const ana = await desk.open(admin, '/connections')
  await ana.press('Nueva línea')
  await ana.write('Nombre', 'Ventas', ana.dialog)
  await expect.poll(() => ana.the('radio', 'Teléfono con QR', ana.dialog).isChecked()).toBe(true)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.the('img', 'Código QR para conectar la línea', ana.dialog).waitFor()
  await ana.shot('linked-qr')
  await ana.press('Usar un código de 8 letras', 'button', ana.dialog)
  desk.excuse('400 POST /whatsappsession/')
  await ana.write('Número de esta línea', '555', ana.dialog)
  await ana.press('Pedir el código', 'button', ana.dialog)
  await ana.sees('Escribe el número completo, con su país', ana.dialog)
  await ana.shot('linked-ask')
  await ana.write('Número de esta línea', `+${owner.account.phoneNumber}`, ana.dialog)
  await ana.press('Pedir el código', 'button', ana.dialog)
  await ana.the('button', 'Copiar el código', ana.dialog).waitFor()
  await ana.shot('linked-code')
  await ana.scan()
  await ana.page.setViewportSize(phoneViewport)
  await ana.shot('linked-code-phone')
  await ana.page.setViewportSize(desktopViewport)
  const code = ana.dialog.getByRole('status').filter({ hasText: /^\w{8}$/ })
  const device = await owner.enterPairingCode((await code.textContent()) ?? '')
  await ana.told('Ventas está conectada')
  await ana.misses(ana.page.getByRole('dialog'))
  await ana.sees('Conectada', ana.row('Ventas'))
  await ana.sees(`+${owner.account.phoneNumber}`, ana.row('Ventas'))
  // The limit of a new number for writing to unknown people is visible, and the admin can change it.
  await ana.sees(/^0 de \d+ en 24 h$/, ana.row('Ventas'))
  await ana.press('Editar Ventas')
  await ana.press('Ritmo', 'tab', ana.dialog)
  await ana.choose('Ritmo de envío', 'Mis propios límites')
  await ana.write('Tope por día', '200', ana.dialog)
  await ana.shot('linked-pace')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('0 de 200 en 24 h', ana.row('Ventas'))

  const alice = createCustomer({ wa })
  await alice.sendText(owner.account, 'Hola, ¿están?')
  const waiting = async () => (await admin.call(ticketsApi.list, { query: { status: 'pending' } })).tickets
  await expect.poll(async () => (await waiting()).length).toBe(1)
  // History is fetched in the background; the phone is slow, and the user can go on working.
  await ana.press('Más acciones de Ventas')
  await ana.shot('linked-menu')
  await ana.press('Traer mensajes anteriores', 'menuitem')
  await ana.sees('0 de 1', ana.row('Ventas'))
  await ana.shot('linked-past')
  await ana.scan()
  await ana.page.setViewportSize(phoneViewport)
  await ana.sees('Trayendo: 0 de 1 conversaciones')
  await ana.shot('linked-past-phone')
  await ana.page.setViewportSize(desktopViewport)
  await ana.press('Detener los mensajes anteriores de Ventas')
  await ana.sees('Detenido: sin mensajes nuevos', ana.row('Ventas'))

  wa.unlink(device)
  await ana.press(/^Ventas: El teléfono cerró la sesión/)
  await ana.press('Pedir un código nuevo', 'button', ana.dialog)
  await ana.the('img', 'Código QR para conectar la línea', ana.dialog).waitFor()

  // WhatsApp requires more than a scan: the dialog stays open, says so and offers the other way.
  owner.account.demandsPasskey = true
  const qr = await ana.dialog.locator('[data-qr]').getAttribute('data-qr')
  await owner.scan(qr ?? '').catch(() => undefined)
  await ana.sees('WhatsApp pide una clave de acceso en el teléfono.', ana.dialog)
  await ana.shot('linked-passkey')
  await ana.scan()
  await ana.press('Usar la API oficial en su lugar', 'button', ana.dialog)
  await ana.the('tab', 'API oficial', ana.dialog).waitFor()
  await expect.poll(() => ana.the('radio', 'API oficial de WhatsApp', ana.dialog).isChecked()).toBe(true)
})
