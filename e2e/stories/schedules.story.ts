import { contactsApi } from '@recado/contract/contacts'
import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import { schedulesApi } from '@recado/contract/schedules/schedules'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()
const zone = 'America/Sao_Paulo'

test('sends a scheduled message at its time, and continues a series', async () => {
  const d = await openDesk(desk.house())
  const number = '5511987650001'
  const { id } = await d.admin.call(contactsApi.create, { body: { name: 'Carolina Peñaflor', number } })
  const customer = d.line.customer(number)
  const ana = await desk.open(d.admin, `/schedules?contactId=${id}`)
  await expect.poll(() => ana.field('Contacto', ana.dialog).inputValue()).toBe('Carolina Peñaflor')

  // Errors for a short text or a past time are shown at the field.
  await ana.write('Mensaje', 'Hey', ana.dialog)
  await ana.write('Cuándo', '2020-01-01T10:00', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Ya pasó: elige otro momento', ana.dialog)
  await ana.sees('Escribe al menos 5 caracteres', ana.dialog)

  await ana.write('Mensaje', 'Hola ', ana.dialog)
  await ana.press('Primer nombre', 'button', ana.dialog)
  await ana.dialog.getByText('Día', { exact: true }).click()
  await ana.sees(/^Saldrá:/, ana.dialog)
  await ana.shot('schedule-form')
  await ana.scan()
  await ana.write('Cuándo', toWallTime(new Date(), zone), ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Mensaje agendado')
  await ana.page.getByText('Lista', { exact: true }).click()

  // It goes out within this minute in her name, and tomorrow's is pending.
  await expect.poll(async () => (await customer.sees()).map((m) => m.body)).toEqual(['Hola Carolina'])
  await ana.sees('Enviada')
  await ana.sees('Pendiente')
  await ana.shot('schedules')
  await ana.scan()

  const beto = await desk.open(d.admin, '/schedules', { viewport: phoneViewport })
  await beto.sees('Pendiente')
  await beto.shot('schedules-phone')
  await beto.scan()

  await ana.the('button', 'Eliminar Carolina Peñaflor').first().click()
  await ana.sees('No se enviará, y la repetición termina.')
  await ana.confirm('Eliminar agendamiento')
  await ana.told('Agendamiento eliminado')
  await ana.misses('Pendiente')
  await beto.misses('Pendiente')
})

test('moves a message in the calendar to another day and time, and back', async () => {
  const d = await openDesk(desk.house())
  const body = { name: 'Aline Rezende', number: '5511987650002' }
  const { id: contactId } = await d.admin.call(contactsApi.create, { body })
  // The tenth of the next month is visible there and always in the future.
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
  await ana.holds('Deshacer')
  await page.getByText('Mes', { exact: true }).click()
  await ana.press('Después')
  const entry = page.locator(`[data-entry="${id}"]`)
  const grip = { x: 20, y: 8 }
  const slot = (day: string) => page.locator(`[data-day="${day}"] [class*=slot]`)
  await entry.waitFor()
  const other = await ana.placeOf(page.locator(`[data-day="${month}-12"]`))
  await ana.drag(entry, grip, { x: other.x + 30, y: other.y + 60 }, slot(`${month}-12`))
  await ana.sees(/^Movido a/)
  await isAt(`${month}-12T10:00`)
  await ana.shot('schedules-month')
  await ana.press('Deshacer')
  await ana.told('Vuelve a su hora')
  await isAt(sendAt)
  await ana.scan()

  // By the hour, with the mouse and with the keyboard.
  await page.locator(`[data-day="${month}-10"] button`).first().click()
  await page.getByText('Hola Aline, te esperamos').waitFor()
  const box = await ana.placeOf(entry)
  const noon = slot(`${month}-10`).filter({ hasText: '12:00' })
  await ana.drag(entry, grip, { x: box.x + grip.x, y: box.y + grip.y + 2 * 58 }, noon)
  await isAt(`${month}-10T12:00`)
  await ana.press('Deshacer')
  await ana.told('Vuelve a su hora')
  // Pick it up at its new position.
  await expect.poll(async () => (await ana.placeOf(entry)).y).toBeCloseTo(box.y, 0)
  await entry.focus()
  for (const key of ['Space', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
  await ana.shot('schedules-carried')
  await page.keyboard.press('Space')
  await isAt(`${month}-10T10:30`)
  await ana.told('Movido a')
  await entry.press('Enter')
  await ana.press('Editar')
  await expect.poll(() => ana.field('Cuándo', ana.dialog).inputValue()).toBe(`${month}-10T10:30`)
  await ana.press('Cancelar', 'button', ana.dialog)
  await ana.scan()
})
