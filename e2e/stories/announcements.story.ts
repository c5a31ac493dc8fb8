import { test } from 'vitest'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('shows a platform announcement to the users of every company at once', async () => {
  const [{ admin }, superUser] = await Promise.all([desk.house().company(), desk.house().superUser()])
  const ana = await desk.open(admin, '/todolist')
  await ana.press('Comunicados')
  await ana.sees('Sin comunicados')
  await ana.page.keyboard.press('Escape')

  const root = await desk.open(superUser, '/announcements')
  await root.press('Nuevo comunicado')
  await root.write('Título', 'Mantenimiento el domingo', root.dialog)
  await root.write('Texto', 'De 02:00 a 03:00 no saldrán mensajes.', root.dialog)
  await root.dialog.getByText('Alta', { exact: true }).click()
  await root.dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'aviso.png', mimeType: 'image/png', buffer: tinyPng })
  await root.shot('announcement-form')
  await root.scan()
  await root.press('Guardar', 'button', root.dialog)
  await root.told('Comunicado publicado')
  await root.sees('Alta', root.row('Mantenimiento el domingo'))
  await root.sees('aviso.png', root.row('Mantenimiento el domingo'))
  await root.scan()

  await ana.press('Comunicados, hay nuevos')
  const popover = ana.the('dialog', 'Comunicados')
  await ana.sees('Prioridad alta', popover)
  await ana.shot('announcements-popover')
  await ana.scan()
  await ana.press(/Mantenimiento el domingo/, 'button', popover)
  await ana.sees('De 02:00 a 03:00 no saldrán mensajes.', ana.dialog)
  await ana.the('img', 'aviso.png', ana.dialog).waitFor()
  await ana.shot('announcement')
  await ana.scan()
  await ana.page.keyboard.press('Escape')
  await ana.the('button', 'Comunicados').waitFor()

  // When switched off, only the super user sees it.
  await root.press('Editar Mantenimiento el domingo')
  await root.flip('Publicado', root.dialog)
  await root.press('Guardar', 'button', root.dialog)
  await root.told('Comunicado guardado')
  await root.sees('Oculto', root.row('Mantenimiento el domingo'))
  await ana.press('Comunicados')
  await ana.sees('Sin comunicados')
  await root.press('Eliminar Mantenimiento el domingo')
  await root.confirm('Eliminar comunicado')
  await root.told('Comunicado eliminado')
  await root.sees('Aquí verás tus comunicados')
})
