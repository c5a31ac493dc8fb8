import { contactsApi } from '@recado/contract/contacts'
import { wallOf } from '@recado/contract/schedules/repetition'
import { expect, test } from 'vitest'
import { deskOf } from '../../server/test/desk.ts'
import { handheld, stage } from '../browser.ts'

const desk = stage()
const zone = 'America/Sao_Paulo'

test('a message is written now and goes out later, and a series goes on', async () => {
  const d = await deskOf(desk.house())
  const number = '5511987650001'
  const { id } = await d.admin.call(contactsApi.create, { body: { name: 'Carolina Peñaflor', number } })
  const customer = d.line.customer(number)
  const ana = await desk.open(d.admin, `/schedules?contactId=${id}`)
  expect(await ana.field('Contacto', ana.dialog).inputValue()).toBe('Carolina Peñaflor')

  // What is too short, or over, is said where it stands.
  await ana.write('Mensaje', 'Hey', ana.dialog)
  await ana.write('Cuándo', '2020-01-01T10:00', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Ya pasó: elige otro momento', ana.dialog)
  await ana.sees('Escribe al menos 5 caracteres', ana.dialog)

  await ana.write('Mensaje', 'Hola ', ana.dialog)
  await ana.press('Primer nombre', 'button', ana.dialog)
  await ana.write('Cuándo', wallOf(new Date(), zone), ana.dialog)
  await ana.dialog.getByText('Día', { exact: true }).click()
  await ana.sees(/^Saldrá:/, ana.dialog)
  await ana.shot('schedule-form')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Mensaje agendado')

  // It goes out in this minute, in her name, and tomorrow's waits.
  await expect
    .poll(async () => (await customer.sees()).map((m) => m.body), { timeout: 30_000 })
    .toEqual(['Hola Carolina'])
  await ana.sees('Enviada')
  await ana.sees('Pendiente')
  await ana.shot('schedules')
  await ana.scan()

  const beto = await desk.open(d.admin, '/schedules', { viewport: handheld })
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
