import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { findChromium } from '../scripts/chromium.mjs'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../server/test/test-server.ts'
import { waitTimeoutMs } from '../server/test/wait-timeout.ts'
import { collectPageProblems, type PageProblems } from './page-problems.ts'
import { cpuSlowdown, recordToasts, trackPageTraffic, Visitor } from './visitor.ts'

export const desktopViewport = { width: 1440, height: 900 }
export const phoneViewport = { width: 390, height: 844 }

const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The browser's toolbar is a web page that is redrawn for every context: a third of all work, and not visible
  // in these tests. This list replaces Playwright's defaults, so it repeats the defaults that matter.
  `--disable-features=${[
    ...['InitialWebUI', 'WebUIToolbar', 'WebUIReloadButton', 'WebUILocationBar', 'WebUIOmniboxPopup'],
    ...['WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AimEnabled'],
    ...['HttpsUpgrades', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'DestroyProfileOnBrowserClose'],
    ...['MediaRouter', 'OptimizationHints', 'LensOverlay', 'NetworkTimeServiceQuerying'],
  ].join()}`,
  // A fake microphone that beeps, without a permission prompt.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  // The stories must not call other hosts: such a call fails to resolve, which fails the story.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]
/** Folder for pictures taken with SHOTS=1 and for the last pictures of a failed story. */
const outputFolder = join(import.meta.dirname, 'output')

async function throttleCpu(page: Page): Promise<void> {
  if (cpuSlowdown <= 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
}

/**
 * A page of the same origin outside the app: a story can write the storage here, while the browser keeps the app's code
 * in memory.
 */
const blankPagePath = '/healthz'

/**
 * `worker`: with the service worker, which copies every file and is disabled in other stories. `touch`: emulates a
 * phone, whose page grows with overflowing content. `stays`: keeps the context for the next story that opens the same
 * person with it; that story navigates as by a link, because loading the app again costs two seconds of CPU.
 */
type VisitOptions = {
  viewport?: typeof desktopViewport
  serviceWorker?: boolean
  touch?: boolean
  keepContext?: boolean
}
/** `keptFor`: the person a kept context belongs to. `hasFailed`: a story failed in it, so its state is unknown. */
type OpenPage = { page: Page; touch: boolean; free: boolean; keptFor: string; hasFailed: boolean }
export type Stage = {
  server(): TestServer
  /** Opens a page for a logged-in person in a browser context of their own. */
  open(person: TestUser, path?: string, more?: VisitOptions): Promise<Visitor>
  /** Opens a page for an anonymous visitor. */
  openAnonymous(path?: string, more?: VisitOptions): Promise<Visitor>
  /** Allows a refusal or error that is part of the story, such as `401 POST /auth/login`. */
  allowProblem(problem: string): void
}

/**
 * One server and one browser for the stories of a file. Any error in one of its pages fails the story. `build` creates
 * another server, such as one connected to a fake WhatsApp. `whole` uses a browser that supports system notifications.
 */
export function createStage(build: () => Promise<TestServer> = testServer, { whole = false } = {}): Stage {
  let browser: Browser
  let allowedProblems: string[] = []
  const problems: PageProblems = []
  let h: TestServer
  /** Reused browser contexts: a second visit costs a third less than the first. */
  const openPages = new Map<BrowserContext, OpenPage>()

  beforeAll(async () => {
    const executablePath = findChromium({ whole })
    if (!executablePath) throw new Error('The stories need Chromium: node scripts/chromium.mjs')
    const launched = chromium.launch({ executablePath, headless: true, args: chromiumFlags })
    ;[browser, h] = await Promise.all([launched, build()])
  })
  afterEach(async ({ task }) => {
    const broken = task.result?.state === 'fail'
    const pages = browser.contexts().flatMap((context) => context.pages())
    // Screenshots at the moment the story failed.
    if (broken)
      await Promise.allSettled(
        pages.map((page, i) => page.screenshot({ path: join(outputFolder, `failed-${task.id}-${i}.png`) })),
      )
    const unexpectedProblems = problems
      .splice(0)
      .filter((problem) => !allowedProblems.some((expected) => problem.startsWith(expected)))
    allowedProblems = []
    await Promise.all(
      browser.contexts().map(async (context) => {
        const openPage = openPages.get(context)
        if (openPage?.keptFor) {
          openPage.hasFailed ||= broken
          await openPage.page.unrouteAll({ behavior: 'ignoreErrors' })
          await context.setOffline(false)
        } else if (!openPage || broken) await context.close()
        else if (!openPage.free) await resetContext(openPage.page).then(() => Object.assign(openPage, { free: true }))
      }),
    )
    // Discards problems of pages that were left before the story began.
    problems.length = 0
    if (unexpectedProblems.length > 0) throw new Error(`While the story was told:\n${unexpectedProblems.join('\n')}`)
  })
  afterAll(async () => {
    await browser?.close()
    await closeTestServers()
  })

  /** Resets the context as if it had never been used. */
  async function resetContext(page: Page) {
    const context = page.context()
    await Promise.all(context.pages().map((one) => one !== page && one.close()))
    await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), context.setOffline(false)])
    await page.goto(blankPagePath)
    await page.evaluate(clearBrowserStorage)
    await Promise.all([context.clearCookies(), context.clearPermissions()])
  }

  /** Opens a context on `blankPagePath`. */
  async function openContext({
    viewport = desktopViewport,
    serviceWorker: worker = false,
    touch = false,
  }: VisitOptions) {
    const reusable = [...openPages.values()].find((one) => one.free && !worker && one.touch === touch)
    if (reusable) {
      reusable.free = false
      await Promise.all([reusable.page.setViewportSize(viewport), reusable.page.emulateMedia({ colorScheme: 'light' })])
      return reusable
    }
    const context = await browser.newContext({
      baseURL: h.address,
      viewport,
      hasTouch: touch,
      isMobile: touch,
      locale: 'es',
      serviceWorkers: worker ? 'allow' : 'block',
      timezoneId: 'America/Sao_Paulo',
      colorScheme: 'light',
      // Animations are off, so that visible elements are in their final place.
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(waitTimeoutMs)
    await context.addInitScript(recordToasts)
    context.on('page', trackPageTraffic)
    context.once('close', () => openPages.delete(context))
    const openPage: OpenPage = { page: await context.newPage(), touch, free: false, keptFor: '', hasFailed: false }
    if (!worker) openPages.set(context, openPage)
    collectPageProblems(openPage.page, h.address, problems)
    await throttleCpu(openPage.page)
    await openPage.page.goto(blankPagePath)
    return openPage
  }

  async function open(person: TestUser, path = '/tickets', visit: VisitOptions = {}) {
    const { viewport = desktopViewport, touch = false, keepContext: stays = false } = visit
    const staysAs = stays ? JSON.stringify([person.token, viewport, touch]) : ''
    const kept = [...openPages.values()].find((one) => stays && one.keptFor === staysAs)
    if (kept) {
      const visitor = new Visitor(kept.page, outputFolder)
      if (kept.hasFailed) await kept.page.goto(path, { waitUntil: 'commit' })
      else await visitor.navigate(path)
      kept.hasFailed = false
      return visitor
    }
    const openPage = await openContext(visit)
    openPage.keptFor = staysAs
    const { page } = openPage
    const [name = '', value = ''] = person.cookie.split('=')
    await page
      .context()
      .addCookies([{ name, value, domain: '127.0.0.1', path: '/auth', httpOnly: true, sameSite: 'Lax' }])
    const { token, companyId, id: userId } = person
    await page.evaluate(writeLocalStorage, {
      token: JSON.stringify(token),
      companyId: `${companyId}`,
      userId: `${userId}`,
    })
    await page.goto(path, { waitUntil: 'commit' })
    return new Visitor(page, outputFolder)
  }
  async function openPage(path = '/login', visit: VisitOptions = {}) {
    const { page } = await openContext(visit)
    await page.goto(path, { waitUntil: 'commit' })
    return new Visitor(page, outputFolder)
  }
  return {
    server: () => h,
    open,
    openAnonymous: openPage,
    allowProblem: (problem) => void allowedProblems.push(problem),
  }
}

/** In the browser: stores the entries that a login stores. */
function writeLocalStorage(entries: Record<string, string>): void {
  for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
}

/** In the browser: removes the stored login. */
async function clearBrowserStorage(): Promise<void> {
  sessionStorage.clear()
  localStorage.clear()
  for (const { name = '' } of await indexedDB.databases())
    await new Promise((resolve, reject) => {
      const gone = indexedDB.deleteDatabase(name)
      gone.onsuccess = resolve
      gone.onerror = reject
    })
}
