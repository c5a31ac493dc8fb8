import { once } from 'node:events'
import { connectionsApi } from '@recado/contract/connections'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createCustomer, createShop, type LinkedServer, openLinkedServer } from '../../server/test/linked-phone.ts'
import { formatPhoneNumber } from '../../web/src/parts/phone-number.ts'
import { createPasskey } from '../../whatsapp/src/passkey.ts'
import { createStage, desktopViewport, phoneViewport } from '../browser.ts'
import { openPasskeyBrowser } from '../passkey-browser.ts'

let wa: LinkedServer['wa']
/** A server connected to a fake WhatsApp, to which the real client library links a phone. */
const desk = createStage(async () => {
  // Long timeouts: for the whole story the code must stay valid and a request to the phone must stay pending.
  const linked = await openLinkedServer({ qrMs: 600_000, pastTimeoutMs: 600_000 })
  wa = linked.wa
  return linked.server
})
afterAll(() => wa?.close())

test('links a phone by an eight-character code, receives a message, and explains what to do after a disconnect', async () => {
  const { admin } = await desk.server().createCompany()
  const owner = createShop({ wa })
  owner.account.registeredAt = new Date(Date.now() - 40 * 86_400_000)
  const ana = await desk.open(admin, '/connections')
  await ana.click('Nueva línea')
  await ana.fill('Nombre', 'Ventas', ana.dialog)
  await expect.poll(() => ana.byRole('radio', 'Teléfono con QR', ana.dialog).isChecked()).toBe(true)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.byRole('img', 'Código QR para conectar la línea', ana.dialog).waitFor()
  await ana.takeScreenshot('linked-qr')
  await ana.click('Usar un código de 8 letras', 'button', ana.dialog)
  desk.allowProblem('400 POST /whatsappsession/')
  await ana.fill('Número de esta línea', '555', ana.dialog)
  await ana.click('Pedir el código', 'button', ana.dialog)
  await ana.expectText('Escribe el número completo, con código de país', ana.dialog)
  await ana.takeScreenshot('linked-ask')
  await ana.fill('Número de esta línea', `+${owner.account.phoneNumber}`, ana.dialog)
  await ana.click('Pedir el código', 'button', ana.dialog)
  await ana.byRole('button', 'Copiar el código', ana.dialog).waitFor()
  await ana.takeScreenshot('linked-code')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('linked-code-phone')
  await ana.page.setViewportSize(desktopViewport)
  const code = ana.dialog.getByRole('status').filter({ hasText: /^\w{8}$/ })
  const device = await owner.enterPairingCode((await code.textContent()) ?? '')
  await ana.expectAndCloseToast('Ventas está conectada')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await ana.expectText('Conectada', ana.row('Ventas'))
  await ana.expectText(formatPhoneNumber(owner.account.phoneNumber), ana.row('Ventas'))
  // The row shows a new number's limit for writing to unknown people, and the admin can change it.
  await ana.expectText('0 de 10 en 24 h', ana.row('Ventas'))
  await ana.click('Ventas: 0 de 10 en 24 h. Ver el ritmo')
  await ana.expectText('10 personas en 24 h', ana.dialog)
  await ana.expectText('Un número que aún no ha escrito a desconocidos empieza con pocos.', ana.dialog)
  await ana.expectText(/^Que respondan: cada respuesta suma dos personas/, ana.dialog)
  await ana.click('Cerrar', 'button', ana.dialog)
  // Two weeks of writing first to people who read and answered.
  const [paced] = await admin.call(connectionsApi.list)
  await desk
    .server()
    .wide()
    .db.insertInto('linePaceDays')
    .values(
      Array.from({ length: 13 }, (_, n) => ({
        ...{
          companyId: admin.companyId,
          whatsappId: paced?.id ?? 0,
          allowed: 10 + n,
          written: 5 + n,
          delivered: 5 + n,
        },
        ...{
          read: 4 + n,
          answered: n % 3,
          // The newest is the day before yesterday in UTC: yesterday may still be today in the company's time zone.
          day: new Date(Date.now() - (14 - n) * 86_400_000).toISOString().slice(0, 10),
        },
      })),
    )
    .execute()
  // At the same time the line gets many messages that cannot be decrypted.
  const setUnreadableSince = (unreadableSince: Date | null) =>
    desk.server().wide().db.updateTable('whatsapps').set({ unreadableSince }).execute()
  await setUnreadableSince(new Date())
  await ana.page.reload()
  await ana.expectText(/^Mensajes ilegibles desde el /, ana.row('Ventas'))
  await ana.takeScreenshot('linked-unreadable')
  await setUnreadableSince(null)
  await ana.page.reload()
  await ana.click(/^Ventas: 0 de \d+ en 24 h\. Ver el ritmo$/)
  await ana.expectText(/^Los mensajes llegan y la gente responde/, ana.dialog)
  await ana.takeScreenshot('linked-pace-days')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('linked-pace-days-phone')
  await ana.page.setViewportSize(desktopViewport)
  await ana.click('Cerrar', 'button', ana.dialog)
  await ana.click('Editar Ventas')
  await ana.click('Ritmo', 'tab', ana.dialog)
  await ana.selectOption('Ritmo de envío', 'Mis propios límites')
  await ana.fill('Tope por día', '200', ana.dialog)
  await ana.takeScreenshot('linked-pace')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('0 de 200 en 24 h', ana.row('Ventas'))

  const alice = createCustomer({ wa })
  await alice.sendText(owner.account, 'Hola, ¿están?')
  const waiting = async () => (await admin.call(ticketsApi.list, { query: { status: 'pending' } })).tickets
  await expect.poll(async () => (await waiting()).length).toBe(1)
  // Older messages are fetched in the background; the phone is slow, and the user can continue working.
  await ana.click('Más acciones de Ventas')
  await ana.takeScreenshot('linked-menu')
  await ana.click('Importar mensajes anteriores', 'menuitem')
  await ana.expectText('0 de 1', ana.row('Ventas'))
  await ana.takeScreenshot('linked-past')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.expectText('Importando: 0 de 1 conversaciones')
  await ana.takeScreenshot('linked-past-phone')
  await ana.page.setViewportSize(desktopViewport)
  await ana.click('Detener la importación de mensajes anteriores de Ventas')
  await ana.expectText('Detenido: sin mensajes nuevos', ana.row('Ventas'))

  // WhatsApp locks the number: the line, and the composer of a conversation with a stranger, say until when.
  wa.lockReachOut(owner.account, new Date(Date.now() + 3 * 3600_000))
  await ana.expectText(/^WhatsApp no deja escribir a desconocidos hasta el /, ana.row('Ventas'))
  await ana.click('Editar Ventas')
  await ana.click('Ritmo', 'tab', ana.dialog)
  await ana.expectText(/^Hasta el .* WhatsApp no deja que este número escriba/, ana.dialog)
  await expect.poll(() => ana.field('Tope por día').inputValue()).toBe('200')
  await ana.takeScreenshot('linked-locked')
  await ana.checkAccessibility()
  await ana.click('Cancelar', 'button', ana.dialog)
  const stranger = { name: 'Bruno', number: createCustomer({ wa }).account.phoneNumber }
  const { body: contact } = await admin.request<{ id: number }>('POST', '/contacts', stranger)
  const [line] = await admin.call(connectionsApi.list)
  const opened = { contactId: contact.id, whatsappId: line?.id ?? 0, userId: admin.id, queueId: null, status: 'open' }
  const { uuid, id: ticketId } = await admin.call(ticketsApi.create, { body: opened as never })
  const talk = await desk.open(admin, `/tickets/${uuid}`)
  await talk.expectText(/^WhatsApp no deja que esta línea escriba a quien no le ha escrito hasta el /)
  await talk.takeScreenshot('linked-locked-composer')
  await talk.checkAccessibility()
  wa.lockReachOut(owner.account, undefined)
  await talk.expectHidden(/^WhatsApp no deja que esta línea escriba/)
  await admin.call(ticketsApi.update, { params: { id: ticketId }, body: { status: 'closed' } as never })

  wa.unlink(device)
  await ana.click(/^Ventas: El teléfono cerró la sesión/)
  await ana.click('Pedir un código nuevo', 'button', ana.dialog)
  await ana.byRole('img', 'Código QR para conectar la línea', ana.dialog).waitFor()

  // WhatsApp requires more than a scan: the dialog stays open, says so and offers the official API instead.
  owner.account.passkey = createPasskey()
  const qr = await ana.dialog.locator('[data-qr]').getAttribute('data-qr')
  await owner.scan(qr ?? '').catch(() => undefined)
  await ana.expectText('WhatsApp pide la llave de acceso de la cuenta.', ana.dialog)
  await ana.takeScreenshot('linked-passkey')
  await ana.checkAccessibility()
  await ana.click('Usar la API oficial', 'button', ana.dialog)
  await ana.byRole('tab', 'API oficial', ana.dialog).waitFor()
  await expect.poll(() => ana.byRole('radio', 'API oficial de WhatsApp', ana.dialog).isChecked()).toBe(true)
})

test('links a phone with the passkey of its owner, who signs in another browser with our extension', async () => {
  const { admin } = await desk.server().createCompany()
  const boss = await desk.open(await desk.server().superUser(), '/settings')
  const option = boss.switch('Vincular con llave de acceso')
  await expect.poll(() => option.isEnabled()).toBe(true)
  expect(await option.isChecked()).toBe(false)
  await boss.expectText(/Nadie lo ha probado con un número real/)
  await boss.toggleSwitch('Vincular con llave de acceso')
  await boss.expectAndCloseToast('Opción guardada')
  await boss.takeScreenshot('settings-passkey-linking')

  const owner = createShop({ wa })
  const passkey = createPasskey()
  owner.account.passkey = passkey
  const ana = await desk.open(admin, '/connections')
  await ana.click('Nueva línea')
  await ana.fill('Nombre', 'Cobranza', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.byRole('img', 'Código QR para conectar la línea', ana.dialog).waitFor()
  const qr = await ana.dialog.locator('[data-qr]').getAttribute('data-qr')
  const phoneCode = once(owner, 'passkeyCode')
  const linking = owner.scan(qr ?? '')
  await ana.expectText('WhatsApp pide la llave de acceso de este número', ana.dialog)
  await ana.expectText(/^Sin probar con números reales: /, ana.dialog)
  await ana.click('Crear la dirección', 'button', ana.dialog)
  const address = ana.dialog.getByLabel('Dirección de un solo uso')
  await address.waitFor()
  await ana.takeScreenshot('passkey-sign')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('passkey-sign-phone')
  await ana.page.setViewportSize(desktopViewport)

  const url = await address.inputValue()
  const browser = await openPasskeyBrowser(passkey, url)
  onTestFinished(browser.close)
  await browser.expectText(new RegExp(`^El servidor ${new URL(desk.server().address).host} pide tu llave`))
  // Neither the page nor the history of the browser keeps the one-time address.
  expect(browser.page.url()).toBe('https://web.whatsapp.com/')
  await browser.click('Firmar con mi llave')
  await browser.expectText('Listo. Vuelve a Recado y compara el código con el teléfono.')
  await ana.expectText('¿El teléfono muestra este mismo código?', ana.dialog)
  const [code] = await phoneCode
  await ana.expectText(code, ana.dialog)
  await ana.takeScreenshot('passkey-compare')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('passkey-compare-phone')
  await ana.page.setViewportSize(desktopViewport)
  // The address works once.
  await browser.page.goto(url)
  await browser.click('Firmar con mi llave')
  await browser.expectText('Esta dirección ya se usó o venció. Crea otra en Recado.')

  await ana.click('Sí, es el mismo', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cobranza está conectada')
  await linking
  await ana.expectText(formatPhoneNumber(owner.account.phoneNumber), ana.row('Cobranza'))
})
