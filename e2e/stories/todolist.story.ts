import { tasksApi } from '@recado/contract/schedules/tasks'
import { expect, test } from 'vitest'
import { password } from '../../server/test/test-server.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('keeps the to-do list on the server, separate for each user, and imports the list that an older client stored in the browser', async () => {
  const company = await desk.server().createCompany()
  const { admin } = company
  const bea = await company.user('user')
  const ana = await desk.open(admin, '/todolist')
  await ana.expectText('Nada pendiente')
  // An older client in the same browser stores its list there.
  const at = '2026-01-02T03:04:05.000Z'
  const old = JSON.stringify([{ text: 'De antes', createdAt: at, updatedAt: at }])
  await ana.page.evaluate((tasks) => localStorage.setItem('tasks', tasks), old)
  await ana.page.reload()
  await ana.expectText('De antes')
  expect(await admin.call(tasksApi.list)).toMatchObject([{ text: 'De antes', createdAt: at }])
  await ana.click('Eliminar: De antes')
  await ana.expectText('Nada pendiente')
  await ana.fill('Nueva tarea', 'Llamar a Lucía')
  await ana.page.keyboard.press('Enter')
  await ana.fill('Nueva tarea', 'Pedir las facturas')
  await ana.click('Agregar')
  await ana.expectText('Llamar a Lucía')
  await ana.click('Editar: Llamar a Lucía')
  await ana.fill('Texto de la tarea', 'Llamar a Lucía el lunes')
  await ana.click('Guardar')
  await ana.expectText(/^Cambiada /)
  await ana.holdToasts('Deshacer')
  await ana.click('Eliminar: Pedir las facturas')
  await ana.expectHidden('Pedir las facturas')
  await ana.click('Deshacer')
  await ana.expectText('Pedir las facturas')
  await ana.page.reload()
  await ana.expectText('Llamar a Lucía el lunes')
  await ana.expectText('Pedir las facturas')
  await ana.takeScreenshot('todolist')
  await ana.checkAccessibility()

  // Two tabs write to the same list without overwriting each other.
  const second = await ana.page.context().newPage()
  await second.goto('/todolist')
  await second.getByText('Pedir las facturas').waitFor()
  await second.getByLabel('Nueva tarea').fill('Archivar')
  await second.keyboard.press('Enter')
  await ana.expectText('Archivar')
  await ana.fill('Nueva tarea', 'Barrer')
  await ana.click('Agregar')
  await second.getByText('Barrer').waitFor()
  for (const text of ['Barrer', 'Archivar']) {
    await ana.click(`Eliminar: ${text}`)
    await second.getByText(text).waitFor({ state: 'detached' })
  }
  await second.close()

  const stored = () => ana.page.evaluate(() => JSON.parse(localStorage.getItem('tasks') ?? '[]') as { text: string }[])
  expect((await stored()).map(({ text }) => text)).toEqual(['Llamar a Lucía el lunes', 'Pedir las facturas'])
  const change = async (to: typeof admin) => {
    await ana.logOut()
    await ana.fill('Correo', to.email)
    await ana.fill('Contraseña', password)
    await ana.click('Entrar')
    await ana.click('Tareas', 'link', ana.byRole('navigation', 'Menú principal'))
    await ana.expectHeading('Tareas')
  }
  await change(bea)
  await ana.expectText('Nada pendiente')
  await ana.expectHidden('Pedir las facturas')
  await ana.fill('Nueva tarea', 'Mirar las guías')
  await ana.click('Agregar')
  await change(admin)
  await ana.expectText('Pedir las facturas')
  await ana.expectHidden('Mirar las guías')
  expect((await stored()).map(({ text }) => text)).toEqual(['Llamar a Lucía el lunes', 'Pedir las facturas'])
})
