import { tagsApi } from '@recado/contract/tags'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { password } from '../../server/test/test-server.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('shows tag changes of one user to another live', async () => {
  const company = await desk.server().createCompany()
  const agent = await company.user('user')
  const [ana, beto] = await Promise.all([desk.open(company.admin, '/tags'), desk.open(agent, '/tags')])
  await beto.expectText('Aquí verás tus etiquetas')
  await ana.click('Nueva etiqueta')
  await ana.fill('Nombre', 'Garantía', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await beto.expectText('Garantía')
  await beto.click('Editar Garantía')
  await beto.fill('Nombre', 'Devolución', beto.dialog)
  await beto.click('Guardar', 'button', beto.dialog)
  await ana.expectText('Devolución')
  await ana.expectHidden('Garantía')
  await ana.click('Eliminar Devolución')
  await ana.confirm('Eliminar etiqueta')
  await beto.expectText('Aquí verás tus etiquetas')
})

test('catches up on changes missed while the network was down', async () => {
  const { admin, user } = await desk.server().createCompany()
  const beto = await desk.open(await user(), '/helps')
  const network = await makeSocketInterruptible(beto.page)
  await beto.page.goto('/tags')
  await beto.expectText('Aquí verás tus etiquetas')
  await network.reached
  await admin.call(tagsApi.create, { body: { name: 'Antes', color: '' } })
  await beto.expectText('Antes')
  network.cut()
  await admin.call(tagsApi.create, { body: { name: 'Entretanto', color: '' } })
  network.mend()
  await beto.expectText('Entretanto')
  // The network of this browser context stays modified, so the context is not reused.
  await beto.page.context().close()
})

/** Makes the live connection of a page interruptible: nothing gets through until it is restored. */
async function makeSocketInterruptible(page: Page) {
  let whole = true
  let drop = () => {}
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  await page.routeWebSocket(/\/socket\.io\//, (browser) => {
    if (!whole) return void browser.close()
    const server = browser.connectToServer()
    server.onMessage((message) => {
      browser.send(message)
      if (String(message).includes('"ready"')) resolve()
    })
    drop = () => void Promise.all([browser.close(), server.close()])
  })
  return {
    /** Resolves once the server has confirmed the connection. */
    reached,
    cut: () => {
      whole = false
      drop()
    },
    mend: () => {
      whole = true
    },
  }
}

test('shows two admins the same team, and shows a user’s new name everywhere', async () => {
  const company = await desk.server().createCompany()
  const second = await company.user('admin')
  const [ana, beto] = await Promise.all([desk.open(company.admin, '/users'), desk.open(second, '/users')])
  await beto.expectText(company.admin.email)
  await ana.click('Nuevo usuario')
  await ana.fill('Nombre', 'Carla Gómez', ana.dialog)
  await ana.fill('Correo', 'carla@desk.test', ana.dialog)
  await ana.fill('Contraseña', password, ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await beto.expectText('Carla Gómez')
  await beto.row(company.admin.email).getByRole('button', { name: 'Editar The admin' }).click()
  await beto.fill('Nombre', 'Ana Prado', beto.dialog)
  await beto.click('Guardar', 'button', beto.dialog)
  await ana.expectText('Ana Prado')
  await ana.page.locator('header').getByText('Ana Prado').waitFor()
  await ana.click('Eliminar Carla Gómez')
  await ana.confirm('Eliminar usuario')
  await beto.expectHidden('Carla Gómez')
})
