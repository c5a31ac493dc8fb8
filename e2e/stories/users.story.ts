import { test } from 'vitest'
import { password } from '../../server/test/house.ts'
import { stage } from '../browser.ts'

const desk = stage()

test('an admin takes somebody in, changes what they may do and lets them go', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/users')
  await ana.sees('En línea', ana.row('The admin'))
  await ana.press('Nuevo usuario')
  await ana.write('Nombre', 'Beto Ríos', ana.dialog)
  await ana.write('Correo', 'beto', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Escribe un correo válido', ana.dialog)
  await ana.sees('Falta este dato', ana.dialog)
  await ana.write('Correo', admin.email, ana.dialog)
  await ana.write('Contraseña', password, ana.dialog)
  await ana.shot('user-form')
  await ana.scan()
  desk.excuse('409 POST /users')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Ya hay una cuenta con ese correo.', ana.dialog)
  await ana.write('Correo', 'beto@desk.test', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Usuario creado')
  await ana.sees('Agente', ana.row('Beto Ríos'))
  await ana.sees('Desconectado', ana.row('Beto Ríos'))

  const beto = await desk.open(await desk.house().login('beto@desk.test'))
  await beto.at('Tickets')
  await ana.sees('En línea', ana.row('Beto Ríos'))
  await ana.shot('users')
  await ana.scan()

  await ana.press('Editar Beto Ríos')
  await ana.choose('Perfil', 'Supervisor')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Usuario guardado')
  await ana.sees('Supervisor', ana.row('Beto Ríos'))

  await ana.press('Eliminar Beto Ríos')
  await ana.sees('Ya no podrá entrar. Sus tickets quedan sin agente.')
  await ana.confirm('Eliminar usuario')
  await ana.told('Usuario eliminado')
  await ana.misses('Beto Ríos')
  await beto.at('Tus recados te esperan')
})
