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
  // The browser's own toolbar is a web page by now, drawn anew for every visitor: a third of all the work, seen by nobody.
  // The list replaces Playwright's, so what matters of that is in it.
  `--disable-features=${[
    ...['InitialWebUI', 'WebUIToolbar', 'WebUIReloadButton', 'WebUILocationBar', 'WebUIOmniboxPopup'],
    ...['WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AimEnabled'],
    ...['HttpsUpgrades', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'DestroyProfileOnBrowserClose'],
    ...['MediaRouter', 'OptimizationHints', 'LensOverlay', 'NetworkTimeServiceQuerying'],
  ].join()}`,
  // A microphone that beeps, and nobody who has to be asked for it.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  // The stories call nobody: whoever is called all the same is not found, and the story hears of it.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]
/** Where SHOTS=1 leaves its pictures, and a story that fails its last ones. */
const outputFolder = join(import.meta.dirname, 'output')

async function throttleCpu(page: Page): Promise<void> {
  if (cpuSlowdown <= 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
}

/** Of our house, and never the app: from here its storage can be written, and the process keeps the app's code. */
const blankPagePath = '/healthz'

/**
 * `worker`: with the service worker, which copies every file it sees and is in no other story's way. `touch`: on a real
 * phone, whose page grows with what reaches past its edge. `stays`: after the story too, for the next one that opens the
 * same person's so. It walks to its page as by a link, since loading the app anew costs two seconds of a processor.
 */
type VisitOptions = { viewport?: typeof desktopViewport; worker?: boolean; touch?: boolean; stays?: boolean }
/** `staysAs`: whose it is, if it stays theirs. `broken`: a story broke off there, nobody knows in the middle of what. */
type OpenPage = { page: Page; touch: boolean; free: boolean; staysAs: string; broken: boolean }
export type Stage = {
  house(): TestServer
  /** Somebody at a browser of their own, logged in, on that page. */
  open(person: TestUser, path?: string, more?: VisitOptions): Promise<Visitor>
  /** Somebody nobody knows yet, at the front door. */
  arrive(path?: string, more?: VisitOptions): Promise<Visitor>
  /** A refusal or fault that belongs to the story, such as `401 POST /auth/login`. */
  excuse(problem: string): void
}

/**
 * One house and one browser for the stories of a file. What goes wrong in any of its pages fails the story. `build`: for
 * a house that stands somewhere else, such as beside a WhatsApp. `whole`: in a browser that has notices of the system.
 */
export function createStage(build: () => Promise<TestServer> = testServer, { whole = false } = {}): Stage {
  let browser: Browser
  let excused: string[] = []
  const problems: PageProblems = []
  let h: TestServer
  /** Where stories take place, one after another: the second visit to a browser costs a third less than the first. */
  const places = new Map<BrowserContext, OpenPage>()

  beforeAll(async () => {
    const executablePath = findChromium({ whole })
    if (!executablePath) throw new Error('The stories need Chromium: node scripts/chromium.mjs')
    const launched = chromium.launch({ executablePath, headless: true, args: chromiumFlags })
    ;[browser, h] = await Promise.all([launched, build()])
  })
  afterEach(async ({ task }) => {
    const broken = task.result?.state === 'fail'
    const pages = browser.contexts().flatMap((context) => context.pages())
    // What it looked like when the story broke off.
    if (broken)
      await Promise.allSettled(
        pages.map((page, i) => page.screenshot({ path: join(outputFolder, `failed-${task.id}-${i}.png`) })),
      )
    const bad = problems.splice(0).filter((problem) => !excused.some((expected) => problem.startsWith(expected)))
    excused = []
    await Promise.all(
      browser.contexts().map(async (context) => {
        const place = places.get(context)
        if (place?.staysAs) {
          place.broken ||= broken
          await place.page.unrouteAll({ behavior: 'ignoreErrors' })
          await context.setOffline(false)
        } else if (!place || broken) await context.close()
        else if (!place.free) await leave(place.page).then(() => Object.assign(place, { free: true }))
      }),
    )
    // Of those who left.
    problems.length = 0
    if (bad.length > 0) throw new Error(`While the story was told:\n${bad.join('\n')}`)
  })
  afterAll(async () => {
    await browser?.close()
    await closeTestServers()
  })

  /** As nobody had ever been there. */
  async function leave(page: Page) {
    const context = page.context()
    await Promise.all(context.pages().map((one) => one !== page && one.close()))
    await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), context.setOffline(false)])
    await page.goto(blankPagePath)
    await page.evaluate(clearBrowserStorage)
    await Promise.all([context.clearCookies(), context.clearPermissions()])
  }

  /** On the threshold of the house. */
  async function enter({ viewport = desktopViewport, worker = false, touch = false }: VisitOptions) {
    const known = [...places.values()].find((place) => place.free && !worker && place.touch === touch)
    if (known) {
      known.free = false
      await Promise.all([known.page.setViewportSize(viewport), known.page.emulateMedia({ colorScheme: 'light' })])
      return known
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
      // Nothing fades: what is there can be seen, and what is seen is there.
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(waitTimeoutMs)
    await context.addInitScript(recordToasts)
    context.on('page', trackPageTraffic)
    context.once('close', () => places.delete(context))
    const place: OpenPage = { page: await context.newPage(), touch, free: false, staysAs: '', broken: false }
    if (!worker) places.set(context, place)
    collectPageProblems(place.page, h.address, problems)
    await throttleCpu(place.page)
    await place.page.goto(blankPagePath)
    return place
  }

  async function open(person: TestUser, path = '/tickets', visit: VisitOptions = {}) {
    const { viewport = desktopViewport, touch = false, stays = false } = visit
    const staysAs = stays ? JSON.stringify([person.token, viewport, touch]) : ''
    const known = [...places.values()].find((place) => stays && place.staysAs === staysAs)
    if (known) {
      const visitor = new Visitor(known.page, outputFolder)
      if (known.broken) await known.page.goto(path, { waitUntil: 'commit' })
      else await visitor.goes(path)
      known.broken = false
      return visitor
    }
    const place = await enter(visit)
    place.staysAs = staysAs
    const { page } = place
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
  async function arrive(path = '/login', visit: VisitOptions = {}) {
    const { page } = await enter(visit)
    await page.goto(path, { waitUntil: 'commit' })
    return new Visitor(page, outputFolder)
  }
  return { house: () => h, open, arrive, excuse: (problem) => void excused.push(problem) }
}

/** In the browser: what a login leaves behind. */
function writeLocalStorage(kept: Record<string, string>): void {
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value)
}

/** In the browser: the opposite. */
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
