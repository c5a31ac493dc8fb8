import { expect, test } from 'vitest'
import { createStage } from '../browser.ts'
import { findCutFocusRings, findEnglishLabels } from '../screen-checks.ts'
import { collectLoadedScripts, compressedBytes, largestModules, maxScriptKb } from '../script-sizes.ts'

const desk = createStage()

/** Compares whole kB with the limit, and names the largest modules when it is exceeded. */
function expectWithinLimit(path: string, files: Set<string>, limit: number): void {
  const kb = Math.ceil(compressedBytes(files) / 1000)
  const blame = largestModules(files, 12).map(({ name, bytes }) => `${(bytes / 1000).toFixed(1)} ${name}`)
  expect(kb, `${path} fetches ${kb} kB of JavaScript:\n${blame.join('\n')}\n`).toBeLessThanOrEqual(limit)
}

/** Screens with their own limit. */
const limitsByPath: Record<string, number> = {
  '/': maxScriptKb.dashboard,
  '/tickets': maxScriptKb.tickets,
  '/campaigns/new': maxScriptKb.campaign,
  // Empty lists show the library, and the sentences of rules need all triggers, conditions and steps.
  '/rules': maxScriptKb.automation,
  '/flows': maxScriptKb.automation,
}

test('opens every screen within its download limit, with whole focus rings and labels in one language', async () => {
  const { page: guest } = await desk.openAnonymous('/signup')
  const login = await collectLoadedScripts(guest, '/login')
  expectWithinLimit('/login', login, maxScriptKb.login)
  expect(login.size).toBeGreaterThan(3)

  const boss = await desk.open(await desk.server().superUser(), '/tags')
  const menu = boss.page.locator('[data-region="menu"] nav a')
  await menu.first().waitFor()
  const paths = await menu.evaluateAll((all) => all.map((one) => new URL((one as HTMLAnchorElement).href).pathname))
  expect(paths.length).toBeGreaterThan(12)
  // A form on its own page loads everything that forms need.
  for (const path of [...paths, '/campaigns/new']) {
    const more = (await collectLoadedScripts(boss.page, path)).difference(login)
    expectWithinLimit(path, more, limitsByPath[path] ?? maxScriptKb.screen)
    expect(await findEnglishLabels(boss.page), path).toEqual([])
    expect(await findCutFocusRings(boss.page), path).toEqual([])
  }
})
