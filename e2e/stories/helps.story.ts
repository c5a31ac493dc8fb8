import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

/** Replaces a YouTube video's thumbnail and player by stubs. */
async function standInForYoutube(page: Page) {
  const video = '<!doctype html><html lang="es"><title>Video</title><main><h1>Video</h1></main></html>'
  await page.route('https://i.ytimg.com/**', (route) => route.fulfill({ contentType: 'image/png', body: tinyPng }))
  await page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: video }),
  )
}

test('lets the platform add a video that all users can play', async () => {
  const [{ admin }, superUser] = await Promise.all([desk.server().createCompany(), desk.server().superUser()])
  const ana = await desk.open(admin, '/helps')
  await ana.expectText('Guías de Recado')
  await standInForYoutube(ana.page)
  const root = await desk.open(superUser, '/settings')
  await root.click('Videos de ayuda', 'tab')
  await root.click('Nuevo video')
  await root.fill('Título', 'Primeros pasos', root.dialog)
  await root.fill('Video de YouTube', 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', root.dialog)
  await root.fill('Descripción', 'Conecta tu línea en dos minutos', root.dialog)
  await root.checkAccessibility()
  await root.click('Guardar', 'button', root.dialog)
  await root.expectAndCloseToast('Video creado')
  await root.expectText('aqz-KE-bpKQ', root.row('Primeros pasos'))

  await ana.byRole('button', /^Primeros pasos/).waitFor()
  await ana.takeScreenshot('helps')
  await ana.checkAccessibility()
  await ana.byRole('button', /^Primeros pasos/).click()
  const video = ana.dialog.locator('iframe')
  expect(await video.getAttribute('src')).toBe('https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0')
  await ana.byRole('link', 'Ver en YouTube', ana.dialog).waitFor()
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))

  await root.click('Eliminar Primeros pasos')
  await root.confirm('Eliminar video')
  await root.expectAndCloseToast('Video eliminado')
  await ana.expectHidden('Videos de tu plataforma')
})

test('opens a screen’s guide on top of that screen, and lists all ten guides on the help page, in every language', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/queues')
  await ana.click('Ayuda de esta pantalla')
  await ana.expectText('Una cola y su menú', ana.dialog)
  await ana.expectText(/^Abre Colas y elige Nueva cola/, ana.dialog)
  await ana.takeScreenshot('help-guide')
  await ana.checkAccessibility()
  expect(new URL(ana.page.url()).pathname).toBe('/queues')
  await ana.click('Todas las guías', 'link', ana.dialog)
  await ana.expectHeading('Ayuda')
  await expect.poll(() => ana.page.locator('main li button').count()).toBe(10)
  await ana.takeScreenshot('help-guides')
  await ana.checkAccessibility()
  for (const [language, title] of [
    ['Español (Argentina, Uruguay)', 'Abrí Líneas y elegí Nueva línea'],
    ['Português', 'Abra Linhas e escolha Nova linha'],
    ['English', 'Open Lines and choose New line'],
  ] as const) {
    await ana.click(/^(Idioma|Language)/)
    await ana.click(language, 'menuitemradio')
    await ana.page.locator('main li button').first().click()
    await ana.expectText(new RegExp(`^${title}`), ana.dialog)
    await ana.page.keyboard.press('Escape')
    await ana.expectHidden(ana.page.getByRole('dialog'))
  }

  const onPhone = await desk.open(admin, '/tickets', { viewport: phoneViewport })
  await onPhone.click('Help for this screen')
  await onPhone.expectText(/^In Tickets, under Waiting, choose Accept/)
  await onPhone.page.keyboard.press('Escape')
  await onPhone.expectHidden(onPhone.page.getByRole('dialog'))
  await onPhone.navigate('/connections')
  await onPhone.click('Menu')
  await onPhone.click('Help for this screen', 'button', onPhone.dialog)
  await onPhone.expectText(/^Open Lines and choose New line/)
  await onPhone.takeScreenshot('help-guide-phone')
  await onPhone.checkAccessibility()
})
