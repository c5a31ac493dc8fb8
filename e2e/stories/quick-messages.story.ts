import { expect, test } from 'vitest'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('creates, shares and removes a quick reply with a picture', async () => {
  const company = await desk.house().company()
  const agent = await company.user('user')
  const ana = await desk.open(company.admin, '/quick-messages')
  await ana.sees('Aquí verás tus respuestas rápidas')
  await ana.press('Nueva respuesta rápida')
  await ana.write('Atajo', 'precios', ana.dialog)
  await ana.write('Mensaje', 'Hola ', ana.dialog)
  await ana.press('Primer nombre', 'button', ana.dialog)
  await expect.poll(() => ana.field('Mensaje', ana.dialog).inputValue()).toBe('Hola {{firstName}}')
  await ana.dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'lista.png', mimeType: 'image/png', buffer: tinyPng })
  await ana.dialog.getByRole('img', { name: 'lista.png' }).waitFor()
  await ana.shot('quick-message-form')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Respuesta rápida creada')
  const row = ana.row('/precios')
  await ana.sees('lista.png', row)
  await ana.sees('Solo quien la creó', row)

  const beto = await desk.open(agent, '/quick-messages')
  await beto.sees('Aquí verás tus respuestas rápidas')
  await ana.press('Editar /precios')
  await ana.the('link', 'lista.png', ana.dialog).waitFor()
  await ana.flip('Para toda la empresa', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Respuesta rápida guardada')
  await beto.sees('/precios')

  // All users may use it; only its author and the admins may change it.
  await beto.misses(beto.the('button', 'Editar /precios'))

  await ana.press('Editar /precios')
  await ana.flip('Activa', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Respuesta rápida guardada')
  await beto.sees('Pausada', beto.row('/precios'))

  await ana.shot('quick-messages')
  await ana.press('Eliminar /precios')
  await ana.sees('Desaparece para toda la empresa.')
  await ana.confirm('Eliminar respuesta rápida')
  await ana.told('Respuesta rápida eliminada')
  await beto.misses('/precios')
  await ana.scan()
})
