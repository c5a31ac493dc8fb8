import { expect, test } from 'vitest'
import { password } from '../../server/test/test-server.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('keeps the to-do list in this browser, separate for each user', async () => {
  const company = await desk.house().company()
  const { admin } = company
  const bea = await company.user('user')
  const ana = await desk.open(admin, '/todolist')
  await ana.sees('Nada pendiente')
  await ana.write('Nueva tarea', 'Llamar a Lucía')
  await ana.page.keyboard.press('Enter')
  await ana.write('Nueva tarea', 'Pedir las facturas')
  await ana.press('Agregar')
  await ana.sees('Llamar a Lucía')
  await ana.press('Editar: Llamar a Lucía')
  await ana.write('Texto de la tarea', 'Llamar a Lucía el lunes')
  await ana.press('Guardar')
  await ana.sees(/^Cambiada /)
  await ana.holds('Deshacer')
  await ana.press('Eliminar: Pedir las facturas')
  await ana.misses('Pedir las facturas')
  await ana.press('Deshacer')
  await ana.sees('Pedir las facturas')
  await ana.page.reload()
  await ana.sees('Llamar a Lucía el lunes')
  await ana.sees('Pedir las facturas')
  await ana.shot('todolist')
  await ana.scan()

  // Two tabs write to one list without overwriting each other.
  const second = await ana.page.context().newPage()
  await second.goto('/todolist')
  await second.getByText('Pedir las facturas').waitFor()
  await second.getByLabel('Nueva tarea').fill('Archivar')
  await second.keyboard.press('Enter')
  await ana.sees('Archivar')
  await ana.write('Nueva tarea', 'Barrer')
  await ana.press('Agregar')
  await second.getByText('Barrer').waitFor()
  for (const text of ['Barrer', 'Archivar']) {
    await ana.press(`Eliminar: ${text}`)
    await second.getByText(text).waitFor({ state: 'detached' })
  }
  await second.close()

  const stored = () => ana.page.evaluate(() => JSON.parse(localStorage.getItem('tasks') ?? '[]') as { text: string }[])
  expect((await stored()).map(({ text }) => text)).toEqual(['Llamar a Lucía el lunes', 'Pedir las facturas'])
  const change = async (to: typeof admin) => {
    await ana.leaves()
    await ana.write('Correo', to.email)
    await ana.write('Contraseña', password)
    await ana.press('Entrar')
    await ana.press('Tareas', 'link', ana.the('navigation', 'Menú principal'))
    await ana.at('Tareas')
  }
  await change(bea)
  await ana.sees('Nada pendiente')
  await ana.misses('Pedir las facturas')
  await ana.write('Nueva tarea', 'Mirar las guías')
  await ana.press('Agregar')
  await change(admin)
  await ana.sees('Pedir las facturas')
  await ana.misses('Mirar las guías')
  expect((await stored()).map(({ text }) => text)).toEqual(['Llamar a Lucía el lunes', 'Pedir las facturas'])
})
