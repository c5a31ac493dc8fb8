import { expect, test } from 'vitest'
import { tinyPdf, tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('creates, reopens and deletes a list of two files', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/files')
  await ana.expectText('Aquí verás tus listas de archivos')
  await ana.click('Nueva lista')
  await ana.fill('Nombre', 'Catálogo', ana.dialog)
  await ana.fill('Mensaje', 'Te dejo el catálogo y los precios.', ana.dialog)
  await ana.fill('Nombre del archivo 1', 'Portada', ana.dialog)
  const chooser = ana.dialog.locator('input[type=file]')
  await chooser.nth(0).setInputFiles({ name: 'portada.png', mimeType: 'image/png', buffer: tinyPng })
  await ana.click('Archivo', 'button', ana.dialog)
  await chooser.nth(1).setInputFiles({ name: 'precios.pdf', mimeType: 'application/pdf', buffer: tinyPdf })
  await ana.expectText('precios.pdf', ana.dialog)
  await ana.takeScreenshot('file-list-form')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Lista creada')
  await ana.expectText('2 archivos', ana.row('Catálogo'))
  await ana.takeScreenshot('files')

  await ana.click('Editar Catálogo')
  // A file without a typed name takes its file name.
  await expect.poll(() => ana.field('Nombre del archivo 2', ana.dialog).inputValue()).toBe('precios')
  const link = ana.dialog.getByRole('link').last()
  const [download] = await Promise.all([ana.page.waitForEvent('popup'), link.click()])
  await download.close()
  await ana.click('Quitar precios', 'button', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Lista guardada')
  await ana.expectText('1 archivo', ana.row('Catálogo'))

  await ana.click('Eliminar Catálogo')
  await ana.expectText('Se borra su archivo.')
  await ana.confirm('Eliminar lista')
  await ana.expectAndCloseToast('Lista eliminada')
  await ana.expectText('Aquí verás tus listas de archivos')
  await ana.checkAccessibility()
})
