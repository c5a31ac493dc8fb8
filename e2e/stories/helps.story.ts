import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

/** Stubs for the thumbnail and the player of a video. */
async function standInForYoutube(page: Page) {
  const video = '<!doctype html><html lang="es"><title>Video</title><main><h1>Video</h1></main></html>'
  await page.route('https://i.ytimg.com/**', (route) => route.fulfill({ contentType: 'image/png', body: tinyPng }))
  await page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: video }),
  )
}

test('lets the platform add a video that all users can play', async () => {
  const [{ admin }, superUser] = await Promise.all([desk.house().company(), desk.house().superUser()])
  const ana = await desk.open(admin, '/helps')
  await ana.sees('Aquí verás los videos de ayuda')
  await standInForYoutube(ana.page)
  const root = await desk.open(superUser, '/settings')
  await root.press('Videos de ayuda', 'tab')
  await root.press('Nuevo video')
  await root.write('Título', 'Primeros pasos', root.dialog)
  await root.write('Video de YouTube', 'https://www.youtube.com/watch?v=aqz-KE-bpKQ', root.dialog)
  await root.write('Descripción', 'Conecta tu línea en dos minutos', root.dialog)
  await root.scan()
  await root.press('Guardar', 'button', root.dialog)
  await root.told('Video creado')
  await root.sees('aqz-KE-bpKQ', root.row('Primeros pasos'))

  await ana.the('button', /^Primeros pasos/).waitFor()
  await ana.shot('helps')
  await ana.scan()
  await ana.the('button', /^Primeros pasos/).click()
  const video = ana.dialog.locator('iframe')
  expect(await video.getAttribute('src')).toBe('https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0')
  await ana.the('link', 'Ver en YouTube', ana.dialog).waitFor()
  await ana.scan()
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))

  await root.press('Eliminar Primeros pasos')
  await root.confirm('Eliminar video')
  await root.told('Video eliminado')
  await ana.sees('Aquí verás los videos de ayuda')
})
