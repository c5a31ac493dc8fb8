import { expect, test } from 'vitest'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('creates, shares and removes a quick reply with a picture', async () => {
  const company = await desk.server().createCompany()
  const agent = await company.user('user')
  const ana = await desk.open(company.admin, '/quick-messages')
  await ana.expectText('Aquí verás tus respuestas rápidas')
  await ana.click('Nueva respuesta rápida')
  await ana.fill('Atajo', 'precios', ana.dialog)
  await ana.fill('Mensaje', 'Hola ', ana.dialog)
  await ana.click('Primer nombre', 'button', ana.dialog)
  await expect.poll(() => ana.field('Mensaje', ana.dialog).inputValue()).toBe('Hola {Primer nombre}')
  await ana.dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'lista.png', mimeType: 'image/png', buffer: tinyPng })
  await ana.dialog.getByRole('img', { name: 'lista.png' }).waitFor()
  await ana.takeScreenshot('quick-message-form')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Respuesta rápida creada')
  const row = ana.row('/precios')
  await ana.expectText('lista.png', row)
  await ana.expectText('Hola {Primer nombre}', row)
  await ana.expectText('Solo quien la creó', row)

  const beto = await desk.open(agent, '/quick-messages')
  await beto.expectText('Aquí verás tus respuestas rápidas')
  await ana.click('Editar /precios')
  await ana.byRole('link', 'lista.png', ana.dialog).waitFor()
  await ana.toggleSwitch('Para toda la empresa', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Respuesta rápida guardada')
  await beto.expectText('/precios')

  // All users may use the quick reply; only its author and the admins may change it.
  await beto.expectHidden(beto.byRole('button', 'Editar /precios'))

  await ana.click('Editar /precios')
  await ana.toggleSwitch('Activa', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Respuesta rápida guardada')
  await beto.expectText('Pausada', beto.row('/precios'))

  await ana.takeScreenshot('quick-messages')
  await ana.click('Eliminar /precios')
  await ana.expectText('Desaparece para toda la empresa.')
  await ana.confirm('Eliminar respuesta rápida')
  await ana.expectAndCloseToast('Respuesta rápida eliminada')
  await beto.expectHidden('/precios')
  await ana.checkAccessibility()
})
