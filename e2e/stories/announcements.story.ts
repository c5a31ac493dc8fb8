import { test } from 'vitest'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('shows a platform announcement to the users of every company at once', async () => {
  const [{ admin }, superUser] = await Promise.all([desk.server().createCompany(), desk.server().superUser()])
  const ana = await desk.open(admin, '/todolist')
  await ana.click('Comunicados')
  await ana.expectText('Sin comunicados')
  await ana.page.keyboard.press('Escape')

  const root = await desk.open(superUser, '/announcements')
  await root.click('Nuevo comunicado')
  await root.fill('Título', 'Mantenimiento el domingo', root.dialog)
  await root.fill('Texto', 'De 02:00 a 03:00 no saldrán mensajes.', root.dialog)
  await root.dialog.getByText('Alta', { exact: true }).click()
  await root.dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'aviso.png', mimeType: 'image/png', buffer: tinyPng })
  await root.takeScreenshot('announcement-form')
  await root.checkAccessibility()
  await root.click('Guardar', 'button', root.dialog)
  await root.expectAndCloseToast('Comunicado publicado')
  await root.expectText('Alta', root.row('Mantenimiento el domingo'))
  await root.expectText('aviso.png', root.row('Mantenimiento el domingo'))
  await root.checkAccessibility()

  await ana.click('Comunicados, hay nuevos')
  const popover = ana.byRole('dialog', 'Comunicados')
  await ana.expectText('Prioridad alta', popover)
  await ana.takeScreenshot('announcements-popover')
  await ana.checkAccessibility()
  await ana.click(/Mantenimiento el domingo/, 'button', popover)
  await ana.expectText('De 02:00 a 03:00 no saldrán mensajes.', ana.dialog)
  await ana.byRole('img', 'aviso.png', ana.dialog).waitFor()
  await ana.takeScreenshot('announcement')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')
  await ana.byRole('button', 'Comunicados').waitFor()

  // When switched off, only the super user sees the announcement.
  await root.click('Editar Mantenimiento el domingo')
  await root.toggleSwitch('Publicado', root.dialog)
  await root.click('Guardar', 'button', root.dialog)
  await root.expectAndCloseToast('Comunicado guardado')
  await root.expectText('Oculto', root.row('Mantenimiento el domingo'))
  await ana.click('Comunicados')
  await ana.expectText('Sin comunicados')
  await root.click('Eliminar Mantenimiento el domingo')
  await root.confirm('Eliminar comunicado')
  await root.expectAndCloseToast('Comunicado eliminado')
  await root.expectText('Aquí verás tus comunicados')
})
