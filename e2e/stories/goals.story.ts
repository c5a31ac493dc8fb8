import { expect, test } from 'vitest'
import { minutes } from '../../server/src/kernel/clock.ts'
import { openDesk } from '../../server/test/desk.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('saves the goals of a queue, counts down in list and ticket, and reports on them in the dashboard', async () => {
  const h = desk.server()
  const d = await openDesk(h)
  const sales = await d.createQueue('Ventas')
  const beto = await d.createUser('user', [sales])

  const ana = await desk.open(d.admin, '/queues')
  await ana.click('Editar Ventas')
  await ana.click('Horario', 'tab', ana.dialog)
  await ana.fill('Primera respuesta en (minutos)', '5', ana.dialog)
  await ana.fill('Resolver en (minutos)', '480', ana.dialog)
  await ana.fill('Primera respuesta, prioridad baja', '90', ana.dialog)
  await ana.takeScreenshot('queue-form-goals')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cola guardada')
  // The goals are still set when the form is reopened.
  await ana.click('Editar Ventas')
  await ana.click('Horario', 'tab', ana.dialog)
  await expect.poll(() => ana.field('Resolver en (minutos)', ana.dialog).inputValue()).toMatch(/^480/)
  const lowGoal = ana.field('Primera respuesta, prioridad baja', ana.dialog)
  await expect.poll(() => lowGoal.inputValue()).toBe('90')

  // One customer wrote just now; the other customer has waited longer than the goal.
  const waits = async (name: string) => {
    const { id } = await d.newTicket('¿hay cupo?', name)
    await d.putTicket(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    return id
  }
  const paz = await waits('Paz Luna')
  h.clock.advance(-minutes(9))
  await waits('Sol Prado')
  h.clock.advance(minutes(9))

  const agent = await desk.open(beto, '/tickets')
  await agent.click(/^Ver en espera/)
  const chip = (name: string) => agent.page.locator('[data-waiting]').filter({ hasText: name }).locator('[data-goal]')
  await expect.poll(() => chip('Paz Luna').textContent()).toMatch(/^Responder antes de .*[456] min$/)
  await expect.poll(() => chip('Sol Prado').textContent()).toMatch(/^Había que responder antes de .*−\d min$/)
  await expect.poll(() => chip('Sol Prado').getAttribute('data-mood')).toBe('late')
  await agent.takeScreenshot('goals-list')
  await agent.checkAccessibility()

  // Another priority has another goal: the time left changes on every screen.
  expect((await d.putTicket(d.admin, paz, { priority: 'low' })).status).toBe(200)
  await expect.poll(() => chip('Paz Luna').textContent()).toMatch(/^Responder antes de .*: 1 h$/)

  // After an answer in time, only the resolution goal is left; the ticket shows its due time.
  await agent.click('Aceptar a Paz Luna')
  const left = agent.page.locator('header [data-goal]')
  await expect.poll(() => left.getAttribute('data-goal')).toBe('answer')
  await agent.fill('Mensaje', 'Sí, quedan dos lugares')
  await agent.page.keyboard.press('Enter')
  await expect.poll(() => left.getAttribute('data-goal')).toBe('resolve')
  await expect.poll(() => left.textContent()).toMatch(/^Resolver antes de .*[78] h$/)
  await agent.checkAccessibility()

  const boss = await desk.open(d.admin, '/')
  const card = boss.byRole('region', 'Metas')
  await card.getByText('50 %').waitFor()
  await card.getByText('1 atrasado').first().waitFor()
  await card.getByRole('button', { name: '1 atrasado', exact: true }).click()
  await boss.expectText(/^Sol Prado/, boss.dialog)
  await boss.expectHidden(/^Paz Luna/, boss.dialog)
  await boss.checkAccessibility()
})
