import { keysApi } from '@recado/contract/doors/keys'
import { expect, test } from 'vitest'
import { deskOf } from '../../server/test/desk.ts'
import { house } from '../../server/test/house.ts'
import { handheld, stage } from '../browser.ts'

/** The receiver of this story is on loopback. */
const desk = stage(() => house({ privateTargets: true }))

test('a key is made, tried, watched and revoked', async () => {
  const d = await deskOf(desk.house())
  const { admin, db } = d
  const { customer, id } = await d.newTicket('¿A qué hora sale la lancha?', 'Carolina Sol')
  const { contact } = await d.show(id)
  const ana = await desk.open(admin, '/messages-api')
  await ana.at('API de mensajes')
  // Without a key the line's own token stands in the example and in the form.
  const { whatsapp } = await d.show(id)
  await ana.sees(new RegExp(`Sale de verdad, por ${whatsapp?.name}`))
  expect(await ana.field('Token').inputValue()).not.toBe('')
  await ana.scan()

  await ana.press('Claves y webhooks', 'tab')
  await ana.press('Nueva clave')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Falta este dato', ana.dialog)
  await ana.write('Nombre', 'Reservas web', ana.dialog)
  await ana.shot('messages-api-key-form')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.the('button', 'Ya la guardé').waitFor()
  // It is not closed by accident: it is seen this once.
  await ana.page.keyboard.press('Escape')
  const key = await ana.field('Clave Reservas web', ana.dialog).inputValue()
  expect(key).toMatch(/^rk_/)
  await ana.press('Copiar', 'button', ana.dialog)
  await ana.sees('Copiado', ana.dialog)
  await ana.shot('messages-api-key-once')
  await ana.scan()
  await ana.press('Ya la guardé')
  await ana.row('Reservas web').waitFor()

  // Chosen by itself in the examples, and in the form.
  await ana.press('Documentación y prueba', 'tab')
  expect(await ana.field('Token').inputValue()).toBe(key)
  const trial = ana.the('region', 'Probar')
  await ana.press('Enviar', 'button', trial)
  await expect.poll(() => trial.getByText('Falta este dato').count()).toBe(2)
  await ana.write('Número', `+${contact.number}`)
  await ana.write('Texto', `Hola "Carolina", it's 9:15`)
  await ana.sees(/it'\\''s 9:15/, ana.the('region', 'Código de ejemplo').last())
  await ana.press('Enviar', 'button', trial)
  await ana.told('Mensaje guardado')
  await ana.sees('202', trial)
  await ana.sees(/"mensagem"/, trial)
  const step = (name: string) => trial.locator(`li[data-step="${name}"][data-past]`)
  await step('delivered').waitFor()
  expect(await ana.field('Número').inputValue()).toBe('')
  expect(await customer.sees()).toContainEqual(expect.objectContaining({ body: `Hola "Carolina", it's 9:15` }))
  await ana.sees('esperando…', trial)
  await ana.shot('messages-api')
  await customer.reads()
  await step('read').waitFor()
  await ana.scan()

  // A number that is nobody's is said in words, and the form keeps what was typed.
  desk.excuse('400 POST /api/messages/send')
  await ana.write('Número', 'nadie')
  await ana.write('Texto', 'hola')
  await ana.press('Enviar', 'button', trial)
  await ana.sees('No es válido', trial)

  await ana.press('Claves y webhooks', 'tab')
  await ana.press('Revocar Reservas web')
  await ana.confirm('Revocar')
  await ana.told('Clave revocada')
  await ana.press('Historial')
  await ana.sees(/revocó la clave Reservas web/, ana.dialog)
  await ana.press('Cerrar', 'button', ana.dialog)
  const { apiKeys } = await admin.call(keysApi.list, { query: {} })
  expect(apiKeys[0]).toMatchObject({ name: 'Reservas web', revokedAt: expect.any(String) })
  desk.excuse('401 POST /api/messages/send')
  await ana.press('Documentación y prueba', 'tab')
  await ana.write('Token', key)
  await ana.write('Número', contact.number)
  await ana.write('Texto', 'hola otra vez')
  await ana.press('Enviar', 'button', trial)
  await ana.sees(/Ese token no abre nada/, trial)
  await ana.sees('401', trial)
  expect(await db.selectFrom('messages').select('id').where('body', '=', 'hola otra vez').execute()).toEqual([])

  await ana.page.setViewportSize(handheld)
  await ana.sees('Enviar un mensaje')
  await ana.shot('messages-api-phone')
  await ana.scan()
})
