import { expect, test } from 'vitest'
import { tinyPdf, tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('creates, reopens and deletes a list of two files', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/files')
  await ana.sees('Aquí verás tus listas de archivos')
  await ana.press('Nueva lista')
  await ana.write('Nombre', 'Catálogo', ana.dialog)
  await ana.write('Mensaje', 'Te dejo el catálogo y los precios.', ana.dialog)
  await ana.write('Nombre del archivo 1', 'Portada', ana.dialog)
  const chooser = ana.dialog.locator('input[type=file]')
  await chooser.nth(0).setInputFiles({ name: 'portada.png', mimeType: 'image/png', buffer: tinyPng })
  await ana.press('Archivo', 'button', ana.dialog)
  await chooser.nth(1).setInputFiles({ name: 'precios.pdf', mimeType: 'application/pdf', buffer: tinyPdf })
  await ana.sees('precios.pdf', ana.dialog)
  await ana.shot('file-list-form')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Lista creada')
  await ana.sees('2 archivos', ana.row('Catálogo'))
  await ana.shot('files')

  await ana.press('Editar Catálogo')
  // A file without a typed name takes its file name.
  await expect.poll(() => ana.field('Nombre del archivo 2', ana.dialog).inputValue()).toBe('precios')
  const link = ana.dialog.getByRole('link').last()
  const [download] = await Promise.all([ana.page.waitForEvent('popup'), link.click()])
  await download.close()
  await ana.press('Quitar precios', 'button', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Lista guardada')
  await ana.sees('1 archivo', ana.row('Catálogo'))

  await ana.press('Eliminar Catálogo')
  await ana.sees('Se borra su archivo.')
  await ana.confirm('Eliminar lista')
  await ana.told('Lista eliminada')
  await ana.sees('Aquí verás tus listas de archivos')
  await ana.scan()
})
