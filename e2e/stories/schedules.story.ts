import { contactsApi } from '@recado/contract/contacts'
import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import { schedulesApi } from '@recado/contract/schedules/schedules'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()
const zone = 'America/Sao_Paulo'

test('sends a scheduled message at its time, and continues a series', async () => {
  const d = await openDesk(desk.server())
  const number = '5511987650001'
  const { id } = await d.admin.call(contactsApi.create, { body: { name: 'Carolina Peñaflor', number } })
  const customer = d.line.customer(number)
  const ana = await desk.open(d.admin, `/schedules?contactId=${id}`)
  await expect.poll(() => ana.field('Contacto', ana.dialog).inputValue()).toBe('Carolina Peñaflor')

  // Errors for a short text or a past time are shown at the field.
  await ana.fill('Mensaje', 'Hey', ana.dialog)
  await ana.fill('Cuándo', '2020-01-01T10:00', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Ya pasó: elige otro momento', ana.dialog)
  await ana.expectText('Escribe al menos 5 caracteres', ana.dialog)

  await ana.fill('Mensaje', 'Hola ', ana.dialog)
  await ana.click('Primer nombre', 'button', ana.dialog)
  await ana.dialog.getByText('Día', { exact: true }).click()
  await ana.expectText(/^Se enviará:/, ana.dialog)
  await ana.takeScreenshot('schedule-form')
  await ana.checkAccessibility()
  await ana.fill('Cuándo', toWallTime(new Date(), zone), ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Mensaje programado')
  await ana.page.getByText('Lista', { exact: true }).click()

  // The message is sent within this minute in Ana's name, and tomorrow's message is pending.
  await expect.poll(async () => (await customer.listMessages()).map((m) => m.body)).toEqual(['Hola Carolina'])
  await ana.expectText('Enviada')
  await ana.expectText('Pendiente')
  await ana.takeScreenshot('schedules')
  await ana.checkAccessibility()

  const beto = await desk.open(d.admin, '/schedules', { viewport: phoneViewport })
  await beto.expectText('Pendiente')
  await beto.takeScreenshot('schedules-phone')
  await beto.checkAccessibility()

  // The removal of a stored file is confirmed: Escape keeps the file and the form.
  const [pending] = (await d.admin.call(schedulesApi.list)).schedules.filter(({ status }) => status === 'PENDENTE')
  const upload = new FormData()
  upload.append('file', new File([new Uint8Array(tinyPng)], 'plano.png', { type: 'image/png' }))
  await d.admin.request('POST', `/schedules/${pending?.id}/media-upload`, upload)
  const storedFile = async () => (await d.admin.call(schedulesApi.show, { params: { id: pending?.id ?? 0 } })).mediaName
  await expect.poll(storedFile).toBe('plano.png')
  await ana.page.reload()
  await ana.byRole('button', 'Editar Carolina Peñaflor').first().click()
  await ana.expectText('Así lo verá Carolina', ana.dialog)
  await ana.click('Quitar plano.png', 'button', ana.dialog)
  await ana.expectText('¿Quitar plano.png?')
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden('¿Quitar plano.png?')
  await ana.click('Quitar plano.png', 'button', ana.dialog)
  await ana.confirm('Quitar archivo')
  await ana.expectHidden(ana.byRole('button', 'Quitar plano.png'))
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Mensaje programado guardado')
  expect(await storedFile()).toBe(null)
  // With nobody chosen the preview names nobody.
  await ana.click('Programar mensaje')
  await ana.expectText('Vista previa', ana.dialog)
  await ana.expectHidden(/^Así lo verá/)
  await ana.click('Cancelar', 'button', ana.dialog)

  await ana.byRole('button', 'Eliminar Carolina Peñaflor').first().click()
  await ana.expectText('No se enviará, y la repetición termina.')
  await ana.confirm('Eliminar mensaje programado')
  await ana.expectAndCloseToast('Mensaje programado eliminado')
  await ana.expectHidden('Pendiente')
  await beto.expectHidden('Pendiente')
})

test('moves a message in the calendar to another day and time, and back', async () => {
  const d = await openDesk(desk.server())
  const body = { name: 'Aline Rezende', number: '5511987650002' }
  const { id: contactId } = await d.admin.call(contactsApi.create, { body })
  // The tenth of the next month is visible in the calendar and always in the future.
  const today = toWallTime(new Date(), zone)
  const month = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 1)).toISOString().slice(0, 7)
  const sendAt = `${month}-10T10:00`
  const { id } = await d.admin.call(schedulesApi.create, {
    body: { body: 'Hola {{firstName}}, te esperamos', contactId, sendAt, whatsappId: null },
  })
  const isAt = (wall: string) =>
    expect
      .poll(async () => (await d.admin.call(schedulesApi.show, { params: { id } })).sendAt)
      .toBe(dateOfWallTime(wall, zone).toISOString())

  const ana = await desk.open(d.admin, '/schedules')
  const { page } = ana
  await ana.holdToasts('Deshacer')
  await page.getByText('Mes', { exact: true }).click()
  await ana.click('Después')
  const entry = page.locator(`[data-entry="${id}"]`)
  const grip = { x: 20, y: 8 }
  const slot = (day: string) => page.locator(`[data-day="${day}"] [class*=slot]`)
  await entry.waitFor()
  const other = await ana.stableBox(page.locator(`[data-day="${month}-12"]`))
  await ana.drag(entry, grip, { x: other.x + 30, y: other.y + 60 }, slot(`${month}-12`))
  await ana.expectText(/^Movido a/)
  await isAt(`${month}-12T10:00`)
  await ana.takeScreenshot('schedules-month')
  await ana.click('Deshacer')
  await ana.expectAndCloseToast('Volvió a su hora')
  await isAt(sendAt)
  await ana.checkAccessibility()

  // Move the message by hours, with the mouse and with the keyboard.
  await page.locator(`[data-day="${month}-10"] button`).first().click()
  await page.getByText('Hola Aline, te esperamos').waitFor()
  const box = await ana.stableBox(entry)
  const noon = slot(`${month}-10`).filter({ hasText: '12:00' })
  await ana.drag(entry, grip, { x: box.x + grip.x, y: box.y + grip.y + 2 * 58 }, noon)
  await isAt(`${month}-10T12:00`)
  await ana.click('Deshacer')
  await ana.expectAndCloseToast('Volvió a su hora')
  // Pick the message up at its new position.
  await expect.poll(async () => (await ana.stableBox(entry)).y).toBeCloseTo(box.y, 0)
  await entry.focus()
  for (const key of ['Space', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
  await ana.takeScreenshot('schedules-carried')
  await page.keyboard.press('Space')
  await isAt(`${month}-10T10:30`)
  await ana.expectAndCloseToast('Movido a')
  await entry.press('Enter')
  await ana.click('Editar')
  await expect
    .poll(() => ana.field('Cuándo', ana.dialog).inputValue())
    .toBe(`10/${month.split('-').toReversed().join('/')} 10:30`)
  await ana.click('Cancelar', 'button', ana.dialog)
  await ana.checkAccessibility()
})
