import { readFile } from 'node:fs/promises'
import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { expect, test } from 'vitest'
import { demoStaff } from '../../server/demo/demo-company.ts'
import { fillDemo } from '../../server/demo/fill-demo.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const password = 'demo-1234'
const number = (n: number) => n.toLocaleString('es')
const titles = [
  'Gente necesaria y gente en línea',
  'El día de cada agente',
  'Lo que resolvió el bot',
  'Calificaciones',
  'Volumen por etiqueta y por cola',
  'Campañas',
  'Salud de las líneas',
]
const card = (one: Visitor, title: string) => one.byRole('region', title)

test('shows the lower dashboard sections, each with its tickets, its table and its export', async () => {
  const h = desk.server()
  // Two demo weeks contain data for all sections.
  await fillDemo(h.server.deps, { password, weeks: 2 })
  const lucia = await h.login(demoStaff[0]?.email ?? '', password)
  const query = { days: 30, compare: true } as never
  const [bot, ratings, volumes] = await Promise.all([
    lucia.call(reportSectionsApi.bot, { query }),
    lucia.call(reportSectionsApi.ratings, { query }),
    lucia.call(reportSectionsApi.volumes, { query }),
  ])
  const ana = await desk.open(lucia, '/?days=30')
  await ana.expectHeading('Panel')

  // Each section loads when it scrolls into view.
  const waiting = ana.page.locator('main div[data-unseen]')
  for (const title of titles) {
    await expect
      .poll(async () => {
        await waiting.evaluateAll(([first]) => first?.scrollIntoView())
        return card(ana, title).count()
      })
      .toBe(1)
  }
  await ana.takeScreenshot('dashboard-more')
  await ana.checkAccessibility()

  // A number of the bot card opens its tickets, and a tag opens the tickets that have it.
  const alone = card(ana, 'Lo que resolvió el bot').getByRole('button', { name: /^Resueltos sin agente/ })
  await expect.poll(() => alone.textContent()).toContain(number(bot.counts.alone))
  await alone.click()
  await expect.poll(() => ana.dialog.getByRole('row').count()).toBe(Math.min(bot.counts.alone, 20) + 1)
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  // The answers at a point of the bot's menu also open their tickets.
  const asked = card(ana, 'Lo que resolvió el bot').getByRole('button', { name: /^Menú principal, Respuestas: / })
  await asked.click()
  await ana.dialog.getByRole('link').first().waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  const [tag] = volumes.tags
  await card(ana, 'Volumen por etiqueta y por cola')
    .getByRole('button', { name: new RegExp(`^${tag?.name}`) })
    .click()
  await ana.dialog.getByRole('link').first().waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))

  // The arrow keys move along the rating days; the last day with a rating opens its tickets.
  const days = card(ana, 'Calificaciones').getByRole('group', { name: /flechas/ })
  await days.getByRole('button').first().focus()
  await ana.page.keyboard.press('End')
  const rated = ratings.series.findLastIndex(({ one, two, three }) => one + two + three > 0)
  for (let n = ratings.series.length - 1; n > rated; n--) await ana.page.keyboard.press('ArrowLeft')
  await expect.poll(() => ana.page.evaluate(() => document.activeElement?.textContent)).toMatch(/satisfechos [1-9]/)
  await ana.page.keyboard.press('Enter')
  await ana.dialog.getByRole('link').first().waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))

  // The number of the previous period is shown beside each number until the comparison is switched off.
  const before = card(ana, 'Lo que resolvió el bot').getByText(/^antes \d/)
  await before.first().waitFor()
  await ana.toggleSwitch('Comparar con el periodo anterior')
  await expect.poll(() => before.count()).toBe(0)
  await expect.poll(() => new URL(ana.page.url()).search).toContain('compare=no')

  // Show all sections as tables, and export a table.
  for (const title of titles) {
    const asTable = card(ana, title).getByRole('button', { name: `${title}: Ver como tabla` })
    await asTable.click()
    await card(ana, title).getByRole('table').first().waitFor()
  }
  await ana.checkAccessibility()
  const save = (what: string) => Promise.all([ana.page.waitForEvent('download'), ana.click(what)])
  const [file] = await save('Lo que resolvió el bot: Guardar como CSV')
  expect(await readFile(await file.path(), 'utf8')).toContain(`Resueltos sin agente;${bot.counts.alone};`)
  // The export has the same labels as the page.
  const [lines] = await save('Salud de las líneas: Guardar como CSV')
  expect(await readFile(await lines.path(), 'utf8')).toContain('Recepción;Conectada;')
  const [picture] = await save('Calificaciones: Guardar como PNG')
  expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG')

  // A queue filter applies to these sections too.
  const queue = volumes.queues.find(({ name }) => name === 'Pagos')
  await ana.byRole('combobox', 'Cola').selectOption('Cola: Pagos')
  const narrowed = await lucia.call(dashboardApi.view, {
    query: { days: 30, compare: false, queueId: queue?.id } as never,
  })
  await card(ana, 'Tickets por día')
    .getByText(`${number(narrowed.sums.came)} en total`)
    .waitFor()
})

test('prints every section, also those not scrolled into view', async () => {
  const h = desk.server()
  await fillDemo(h.server.deps, { password, weeks: 1 })
  const ana = await desk.open(await h.login(demoStaff[0]?.email ?? '', password), '/?days=30', {
    viewport: phoneViewport,
  })
  await ana.expectHeading('Panel')
  await ana.page.evaluate(() => {
    window.print = () => {
      const heads = [...document.querySelectorAll('section h2')].map((one) => one.textContent)
      const loading = document.querySelectorAll('.mantine-Skeleton-root').length
      Object.assign(window, {
        printed: { heads, loading, scheme: document.documentElement.dataset.mantineColorScheme },
      })
    }
  })
  // Timers run late, as on a busy machine where a response is drawn some frames after it arrived.
  await ana.page.evaluate(() => {
    const { setTimeout } = window
    Object.assign(window, {
      setTimeout: (run: () => void, ms = 0, ...rest: []) => setTimeout(run, Math.max(ms, 400), ...rest),
    })
  })
  await ana.page.emulateMedia({ colorScheme: 'dark' })
  await ana.click('Guardar la página como PDF')
  const printed = () => ana.page.evaluate(() => Reflect.get(window, 'printed'))
  await expect.poll(printed).toMatchObject({ loading: 0, scheme: 'light', heads: expect.arrayContaining(titles) })

  // The print shows the filter and the period, and nothing overflows an A4 page without its margins.
  await ana.page.emulateMedia({ media: 'print', colorScheme: 'light' })
  await ana.page.setViewportSize({ width: 703, height: 1030 })
  await ana.expectText(/^Valle Bruma Viajes · \d\d\/\d\d\/\d{4} – \d\d\/\d\d\/\d{4} · Comparar/)
  const cut = () =>
    ana.page.evaluate(() =>
      [...document.querySelectorAll('main section')].flatMap((one) =>
        one.scrollWidth > one.clientWidth + 1 ? (one.querySelector('h2')?.textContent ?? 'something') : [],
      ),
    )
  await expect.poll(cut).toEqual([])
})
