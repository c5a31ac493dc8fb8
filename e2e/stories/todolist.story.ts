import { test } from 'vitest'
import { stage } from '../browser.ts'

const desk = stage()

test('what is to be done is kept in this browser', async () => {
  const { admin } = await desk.house().company()
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
  await ana.press('Eliminar: Pedir las facturas')
  await ana.misses('Pedir las facturas')
  await ana.press('Deshacer')
  await ana.sees('Pedir las facturas')
  await ana.page.reload()
  await ana.sees('Llamar a Lucía el lunes')
  await ana.sees('Pedir las facturas')
  await ana.shot('todolist')
  await ana.scan()
})
