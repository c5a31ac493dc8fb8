import { expect, test } from 'vitest'
import { stage } from '../browser.ts'
import { heaviest, limits, scriptsOf, weightOf } from '../weigh.ts'

const desk = stage()

/** Whole kB, and the names that are to blame if it is too many. */
function held(path: string, files: Set<string>, limit: number): void {
  const kb = Math.ceil(weightOf(files) / 1000)
  const blame = heaviest(files, 12).map(({ name, bytes }) => `${(bytes / 1000).toFixed(1)} ${name}`)
  expect(kb, `${path} fetches ${kb} kB of JavaScript:\n${blame.join('\n')}\n`).toBeLessThanOrEqual(limit)
}

/** Screens with a limit of their own. */
const own: Record<string, number> = {
  '/': limits.dashboard,
  '/tickets': limits.tickets,
  '/campaigns/new': limits.campaign,
}

test('every screen opens, and fetches no more than it may', async () => {
  const { page: guest } = await desk.arrive('/signup')
  const login = await scriptsOf(guest, '/login')
  held('/login', login, limits.login)
  expect(login.size).toBeGreaterThan(3)

  const boss = await desk.open(await desk.house().superUser(), '/tags')
  const menu = boss.page.locator('[data-region="menu"] nav a')
  await menu.first().waitFor()
  const paths = await menu.evaluateAll((all) => all.map((one) => new URL((one as HTMLAnchorElement).href).pathname))
  expect(paths.length).toBeGreaterThan(12)
  // A form that is a page of its own brings all that forms need.
  for (const path of [...paths, '/campaigns/new']) {
    const more = (await scriptsOf(boss.page, path)).difference(login)
    held(path, more, own[path] ?? limits.screen)
  }
})
