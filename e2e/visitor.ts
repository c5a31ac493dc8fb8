import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type axe from 'axe-core'
import type { Locator, Page, Request, WebSocket } from 'playwright-core'
import { expect } from 'vitest'
import { waitTimeoutMs } from '../server/test/wait-timeout.ts'

/** SLOW=6 slows the page's CPU by that factor, to find stories that pass only on a fast machine. */
export const cpuSlowdown = Number(process.env.SLOW ?? 1)

type Role = Parameters<Page['getByRole']>[0]
type SearchRoot = Page | Locator
type Point = { x: number; y: number }

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The minified build of axe, because it loads in half the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = Pick<axe.Result, 'id' | 'impact' | 'help'> & {
  nodes: Pick<axe.NodeResult, 'html' | 'failureSummary'>[]
}
/** Rules whose findings axe rates minor or moderate: these findings do not fail a story, so the rules are skipped. */
const skippedAxeRules = [
  ...['aria-allowed-role', 'aria-deprecated-role', 'empty-heading', 'empty-table-header', 'form-field-multiple-labels'],
  ...['heading-order', 'image-redundant-alt', 'landmark-banner-is-top-level', 'landmark-contentinfo-is-top-level'],
  ...['landmark-main-is-top-level', 'landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo'],
  ...[
    'landmark-no-duplicate-main',
    'landmark-one-main',
    'landmark-unique',
    'no-autoplay-audio',
    'page-has-heading-one',
  ],
  ...['presentation-role-conflict', 'region', 'scope-attr-valid', 'server-side-image-map', 'skip-link'],
]
const axeOptions = { rules: Object.fromEntries(skippedAxeRules.map((id) => [id, { enabled: false }])) }
/** The dark theme changes only colours: everything else was already checked in the light theme. */
const darkThemeAxeOptions = { runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] } }

/** A user at a browser, who finds elements by the text on the screen. */
export class Visitor {
  readonly page: Page
  private readonly outputFolder: string

  constructor(page: Page, output: string) {
    this.page = page
    this.outputFolder = output
  }

  /** The topmost dialog. */
  get dialog(): Locator {
    return this.page.getByRole('dialog').filter({ visible: true }).last()
  }

  /** A row of a list, by a text in it. */
  row(text: string): Locator {
    return this.page.getByRole('row').filter({ has: this.page.getByText(text, { exact: true }) })
  }

  byRole(role: Role, name: string | RegExp, within: SearchRoot = this.page): Locator {
    return within.getByRole(role, { name, exact: typeof name === 'string' }).filter({ visible: true })
  }

  /** A field by its label, with or without the required mark. */
  field(label: string, within: SearchRoot = this.page): Locator {
    const exactly = new RegExp(`^${escapeRegExp(label)}( ?\\*)?$`)
    return within.locator('input, textarea').and(this.page.getByLabel(exactly)).filter({ visible: true })
  }

  async click(name: string | RegExp, role: Role = 'button', within: SearchRoot = this.page): Promise<void> {
    return (await this.waitForSingle(this.byRole(role, name, within))).click()
  }

  /** Waits until exactly one element matches: a disappearing element may overlap with its replacement. */
  private async waitForSingle(what: Locator): Promise<Locator> {
    const several = async () => (await what.count()) > 1
    if (await several()) await expect.poll(several, { message: `${what} more than once` }).toBe(false)
    return what
  }

  /**
   * Hovers over an element until `shows` appears. Late rendering can move the page under a still pointer, and a pointer
   * that does not move triggers no hover: therefore the pointer enters from the side on each try.
   */
  private async hoverUntil(at: Locator, shows: Locator): Promise<void> {
    await expect
      .poll(
        async () => {
          const box = await at.boundingBox()
          if (box) await this.page.mouse.move(box.x + box.width / 2 - 2, box.y + box.height / 2 - 2)
          await at.hover()
          return shows.isVisible()
        },
        { message: `${shows} under the pointer` },
      )
      .toBe(true)
  }

  /** The element that appears on hover. */
  async hoverAndFind(at: Locator, name: string | RegExp, role: Role = 'button'): Promise<Locator> {
    const shown = this.byRole(role, name, at)
    await this.hoverUntil(at, shown)
    return shown
  }

  /** Hovers and clicks the element that appears; tries again if the page moved before the click. */
  async hoverAndClick(at: Locator, name: string | RegExp, role: Role = 'button'): Promise<void> {
    const end = Date.now() + waitTimeoutMs
    for (;;) {
      const shown = await this.hoverAndFind(at, name, role)
      try {
        // A click normally takes a fraction of this timeout; if the element is gone, hover again.
        return await shown.click({ timeout: waitTimeoutMs / 4 })
      } catch (error) {
        if (Date.now() > end || (await shown.isVisible())) throw error
      }
    }
  }

  async fill(label: string, text: string, within: SearchRoot = this.page): Promise<void> {
    const field = await this.waitForSingle(this.field(label, within))
    await field.evaluate(waitForDialogFocus)
    await field.fill(text)
  }

  /** The bounding box of an element, once the element no longer moves. */
  async stableBox(what: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
    await what.scrollIntoViewIfNeeded()
    return what.evaluate(async (one) => {
      const look = () => JSON.stringify(one.getBoundingClientRect())
      const frame = () => new Promise(requestAnimationFrame)
      for (let before = ''; before !== look(); ) {
        before = look()
        for (let n = 0; n < 3; n++) await frame()
      }
      return one.getBoundingClientRect().toJSON()
    })
  }

  /** Drags in small steps like a real hand, and drops once the landing position is shown. */
  async drag(what: Locator, grip: Point, to: Point, landing: Locator): Promise<void> {
    const { mouse } = this.page
    const box = await this.stableBox(what)
    const from = { x: box.x + grip.x, y: box.y + grip.y }
    await mouse.move(from.x, from.y)
    await mouse.down()
    await mouse.move(from.x + 12, from.y + 12, { steps: 4 })
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
    await expect
      .poll(
        async () => {
          await mouse.move(to.x - 1, to.y - 1)
          await mouse.move(to.x, to.y)
          return landing.first().isVisible()
        },
        { message: `${landing} under the hand` },
      )
      .toBe(true)
    await mouse.up()
  }

  /** Opens a select and picks an option. */
  async selectOption(label: string, option: string): Promise<void> {
    const field = await this.waitForSingle(this.field(label))
    await field.evaluate(waitForDialogFocus)
    await field.click()
    await this.click(option, 'option')
  }

  /** A switch. Its label includes its description. */
  switch(name: string, within: SearchRoot = this.page): Locator {
    return within.getByRole('switch', { name: new RegExp(`^${escapeRegExp(name)}`) })
  }

  /** Toggles by keyboard, because the visible box is drawn beside the input. */
  async toggleSwitch(name: string, within: SearchRoot = this.page): Promise<void> {
    await this.switch(name, within).evaluate(waitForDialogFocus)
    await this.switch(name, within).press('Space')
  }

  expectText(text: string | RegExp, within: SearchRoot = this.page): Promise<void> {
    const found = within.getByText(text, { exact: typeof text === 'string' })
    return found.filter({ visible: true }).first().waitFor()
  }

  /** Expects the text or element to be absent or to disappear. */
  async expectHidden(text: string | RegExp | Locator, within: SearchRoot = this.page): Promise<void> {
    const found =
      typeof text === 'object' && 'waitFor' in text ? text : within.getByText(text, { exact: typeof text === 'string' })
    await expect.poll(() => found.filter({ visible: true }).count(), { message: `${found}` }).toBe(0)
  }

  /** Navigates within the app, without a reload. */
  navigate(path: string): Promise<void> {
    return this.page.evaluate((to) => history.pushState(null, '', to), path)
  }

  waitUntilLive(): Promise<void> {
    return waitUntilLive(this.page)
  }

  /** Waits until no request is pending: a request about a row that is deleted meanwhile would be refused. */
  async waitForRequests(): Promise<void> {
    await expect.poll(() => pendingRequests.get(this.page)?.size, { message: 'on its way' }).toBe(0)
  }

  /**
   * Waits until the page has sent and received everything that it loads by itself: two seconds after a page load the
   * menu reads the lines, and a session that ends just then refuses that request.
   */
  async waitForStartup(): Promise<void> {
    await this.page.waitForFunction(() => performance.now() > 2500)
    await this.waitForRequests()
  }

  /** Logs out. */
  async logOut(): Promise<void> {
    await this.click(/Tu cuenta$/)
    await this.byRole('menuitem', 'Salir').waitFor()
    await this.waitForStartup()
    await this.click('Salir', 'menuitem')
    await this.expectHeading('Tus recados te esperan')
  }

  /** The heading of the page. */
  expectHeading(title: string): Promise<void> {
    return this.page.getByRole('heading', { level: 1 }).filter({ hasText: title, visible: true }).waitFor()
  }

  private toast(text: string): Locator {
    return this.page.locator('.mantine-Notification-root').filter({ hasText: text })
  }

  /** Hovers over each toast with this text as it appears, so that the toast stays until it is used. */
  async holdToasts(words: string): Promise<void> {
    await this.page.evaluate(keepToastsOpen, words)
  }

  /** Expects a toast, including one that was shown within the last three seconds. */
  async expectToast(text: string): Promise<void> {
    const known = async () => (await this.page.evaluate(wasToastShown, text)) || (await this.toast(text).count()) > 0
    await expect.poll(known, { message: `told: ${text}` }).toBe(true)
  }

  /** Expects a toast, and closes it if it is still shown. */
  async expectAndCloseToast(text: string): Promise<void> {
    await this.expectToast(text)
    const toast = this.toast(text)
    // Click only the current elements: a locator click would wait for the next toast with this text and close it.
    for (const close of await toast.getByRole('button', { name: 'Cerrar' }).elementHandles())
      await close.click({ timeout: waitTimeoutMs / 4 }).catch(() => undefined)
    // A toast under the pointer does not close, neither this one nor the next one that appears in its place.
    await this.page.mouse.move(0, 0)
    await this.expectHidden(toast)
  }

  /** Answers a confirmation dialog. */
  async confirm(verb: string): Promise<void> {
    const question = this.page.getByRole('dialog', { name: /^¿/ }).filter({ visible: true })
    await this.click(verb, 'button', question)
    await this.expectHidden(question)
  }

  /** Waits until nothing moves any more. */
  private waitForAnimations(): Promise<unknown> {
    return this.page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((one) => Number.isFinite(Number(one.effect?.getComputedTiming().endTime ?? 0)))
          .map((one) => one.finished.catch(() => undefined)),
      ),
    )
  }

  /** Runs axe on the current page. The script is loaded once per page. */
  private async runAxe(rules: axe.RunOptions, exclude: string[]): Promise<Violation[]> {
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(axeSource)
    return this.page.evaluate(
      async ({ rules, exclude }) => {
        const { run } = (window as unknown as { axe: typeof axe }).axe
        const found = await run({ exclude }, { resultTypes: ['violations'], iframes: false, preload: false, ...rules })
        return found.violations.map(({ id, impact, help, nodes }) => ({
          ...{ id, impact, help },
          nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
        }))
      },
      { rules, exclude },
    )
  }

  /** Expects no serious axe finding in the light and dark themes. Leaves the page in the light theme. */
  async checkAccessibility({ toasts = false } = {}): Promise<void> {
    // Skipped in slow runs, which look for timing problems: the scan would take most of the time.
    if (cpuSlowdown > 1) return
    const found: string[] = []
    for (const scheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme: scheme })
      await this.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
      await this.waitForAnimations()
      // Most toasts close during the scan; a toast that stays open is checked in its own story.
      const violations = await this.runAxe(
        scheme === 'dark' ? darkThemeAxeOptions : axeOptions,
        toasts ? [] : ['.mantine-Notifications-root'],
      )
      for (const { id, impact, help, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue
        for (const node of nodes)
          found.push(`${scheme} ${impact} ${id}: ${help}\n  ${node.html}\n  ${node.failureSummary}`)
      }
    }
    expect(found.join('\n'), `accessibility of ${this.page.url()}`).toBe('')
  }

  /** Screenshots in the light and dark themes when SHOTS=1. */
  async takeScreenshot(name: string): Promise<void> {
    if (process.env.SHOTS !== '1') return
    for (const scheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme: scheme })
      await this.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
      await this.waitForAnimations()
      await this.page.screenshot({ path: join(this.outputFolder, `${name}${scheme === 'dark' ? '-dark' : ''}.png`) })
    }
  }
}

/**
 * In the browser: waits until a dialog has taken the focus, which happens shortly after rendering and would redirect
 * typing. Not every dialog takes the focus: the wait ends after twenty frames, which is longer than that delay on any
 * machine.
 */
async function waitForDialogFocus(field: Element): Promise<void> {
  const dialog = field.closest('[role=dialog]')
  for (let n = 0; n < 20 && dialog && !dialog.contains(document.activeElement); n++)
    await new Promise(requestAnimationFrame)
}

/** The live connections of a page that the server has confirmed. */
const liveSockets = new WeakMap<Page, Set<WebSocket>>()
/** Pending requests of a page. */
const pendingRequests = new WeakMap<Page, Set<Request>>()

export function trackPageTraffic(page: Page): void {
  const sockets = new Set<WebSocket>()
  liveSockets.set(page, sockets)
  const requests = new Set<Request>()
  pendingRequests.set(page, requests)
  const removeRequest = (request: Request) => requests.delete(request)
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', removeRequest).on('requestfailed', removeRequest)
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => `${payload}`.includes('"ready"') && sockets.add(socket))
    socket.on('close', () => sockets.delete(socket))
  })
}

/** Waits for the page's live connection: events published before it are not sent again. */
export const waitUntilLive = (page: Page): Promise<void> =>
  expect.poll(() => liveSockets.get(page)?.size ?? 0, { message: `${page.url()} hears` }).toBeGreaterThan(0)

/** In the browser: records toasts, so that stories can check toasts that have closed again. */
export function recordToasts(): void {
  const told: RecordedToast[] = []
  Object.assign(globalThis, { told })
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const one of addedNodes)
        if (one instanceof Element && one.parentElement?.closest('.mantine-Notifications-root'))
          for (const toast of one.matches('.mantine-Notification-root')
            ? [one]
            : one.querySelectorAll('.mantine-Notification-root'))
            told.push({ text: toast.textContent ?? '', at: performance.now() })
  }).observe(document, { childList: true, subtree: true })
}

type RecordedToast = { text: string; at: number }

/** In the browser: keeps every toast with this text hovered. */
function keepToastsOpen(words: string): void {
  const held = new WeakSet<Element>()
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll('[role=status]'))
      if (!held.has(toast) && toast.textContent?.includes(words)) {
        held.add(toast)
        toast.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
      }
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
}

/** In the browser: whether exactly one toast with this text was shown recently. */
function wasToastShown(text: string): boolean {
  const { told } = globalThis as unknown as { told: RecordedToast[] }
  const plain = (one: string) => one.replace(/\s+/g, ' ').toLowerCase()
  const isIt = (one: RecordedToast) => plain(one.text).includes(plain(text)) && performance.now() - one.at < 20_000
  const at = told.findIndex(isIt)
  if (at >= 0) told.splice(at, 1)
  return at >= 0
}
