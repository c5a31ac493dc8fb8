import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type axe from 'axe-core'
import type { Locator, Page, Request, WebSocket } from 'playwright-core'
import { expect } from 'vitest'
import { waitTimeoutMs } from '../server/test/wait-timeout.ts'

/** SLOW=6: pages compute so many times slower, to hunt stories that pass only because this machine is quick. */
export const cpuSlowdown = Number(process.env.SLOW ?? 1)

type Role = Parameters<Page['getByRole']>[0]
type SearchRoot = Page | Locator
type Point = { x: number; y: number }

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The short form: a page reads it in half the time. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = Pick<axe.Result, 'id' | 'impact' | 'help'> & {
  nodes: Pick<axe.NodeResult, 'html' | 'failureSummary'>[]
}
/** Whatever these find is called minor or moderate by axe, and is not asked for here: they need not be run. */
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
/** Night changes nothing but colours: what else there is to find was found by day. */
const darkThemeAxeOptions = { runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] } }

/** A person at a browser: presses, writes and sees, by the words on the screen. */
export class Visitor {
  readonly page: Page
  private readonly output: string

  constructor(page: Page, output: string) {
    this.page = page
    this.output = output
  }

  /** The dialog on top. */
  get dialog(): Locator {
    return this.page.getByRole('dialog').filter({ visible: true }).last()
  }

  /** A line of a list, by a text in it. */
  row(text: string): Locator {
    return this.page.getByRole('row').filter({ has: this.page.getByText(text, { exact: true }) })
  }

  the(role: Role, name: string | RegExp, within: SearchRoot = this.page): Locator {
    return within.getByRole(role, { name, exact: typeof name === 'string' }).filter({ visible: true })
  }

  /** A field by its label, starred or not. */
  field(label: string, within: SearchRoot = this.page): Locator {
    const exactly = new RegExp(`^${escapeRegExp(label)}( ?\\*)?$`)
    return within.locator('input, textarea').and(this.page.getByLabel(exactly)).filter({ visible: true })
  }

  async press(name: string | RegExp, role: Role = 'button', within: SearchRoot = this.page): Promise<void> {
    return (await this.only(this.the(role, name, within))).click()
  }

  /** What goes may stand beside what comes for a moment: there is one of it in the end. */
  private async only(what: Locator): Promise<Locator> {
    const several = async () => (await what.count()) > 1
    if (await several()) await expect.poll(several, { message: `${what} more than once` }).toBe(false)
    return what
  }

  /**
   * Points at something until what shows up under the pointer is there. What is drawn late moves the page away under a
   * pointer that stands still, and one that does not move points at nothing: it comes from the side each time.
   */
  private async point(at: Locator, shows: Locator): Promise<void> {
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

  /** What shows up when one points there. */
  async under(at: Locator, name: string | RegExp, role: Role = 'button'): Promise<Locator> {
    const shown = this.the(role, name, at)
    await this.point(at, shown)
    return shown
  }

  /** Points at something and presses what shows up there, again when the page moved away before it was pressed. */
  async pressUnder(at: Locator, name: string | RegExp, role: Role = 'button'): Promise<void> {
    const end = Date.now() + waitTimeoutMs
    for (;;) {
      const shown = await this.under(at, name, role)
      try {
        // Whatever can be pressed is pressed in a fraction of this; what is gone has to be pointed at again.
        return await shown.click({ timeout: waitTimeoutMs / 4 })
      } catch (error) {
        if (Date.now() > end || (await shown.isVisible())) throw error
      }
    }
  }

  async write(label: string, text: string, within: SearchRoot = this.page): Promise<void> {
    const field = await this.only(this.field(label, within))
    await field.evaluate(waitForDialogFocus)
    await field.fill(text)
  }

  /** Where it stands once it stays there. */
  async placeOf(what: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
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

  /** Carries something there in steps, as a hand does, which is never quite still, and lets go once it shows where it will land. */
  async drag(what: Locator, grip: Point, to: Point, landing: Locator): Promise<void> {
    const { mouse } = this.page
    const box = await this.placeOf(what)
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

  /** Opens a select and takes one of its options. */
  async choose(label: string, option: string): Promise<void> {
    const field = await this.only(this.field(label))
    await field.evaluate(waitForDialogFocus)
    await field.click()
    await this.press(option, 'option')
  }

  /** A switch. What it does is part of its label. */
  switch(name: string, within: SearchRoot = this.page): Locator {
    return within.getByRole('switch', { name: new RegExp(`^${escapeRegExp(name)}`) })
  }

  /** By keyboard: the box is drawn beside the input, not on it. */
  async flip(name: string, within: SearchRoot = this.page): Promise<void> {
    await this.switch(name, within).evaluate(waitForDialogFocus)
    await this.switch(name, within).press('Space')
  }

  sees(text: string | RegExp, within: SearchRoot = this.page): Promise<void> {
    const found = within.getByText(text, { exact: typeof text === 'string' })
    return found.filter({ visible: true }).first().waitFor()
  }

  /** Nowhere, or no longer. */
  async misses(text: string | RegExp | Locator, within: SearchRoot = this.page): Promise<void> {
    const found =
      typeof text === 'object' && 'waitFor' in text ? text : within.getByText(text, { exact: typeof text === 'string' })
    await expect.poll(() => found.filter({ visible: true }).count(), { message: `${found}` }).toBe(0)
  }

  /** To another page as by a link: the app is not loaded again. */
  goes(path: string): Promise<void> {
    return this.page.evaluate((to) => history.pushState(null, '', to), path)
  }

  hears(): Promise<void> {
    return waitUntilLive(this.page)
  }

  /** Until nothing is on its way: what is asked about something that ends meanwhile is refused. */
  async still(): Promise<void> {
    await expect.poll(() => pendingRequests.get(this.page)?.size, { message: 'on its way' }).toBe(0)
  }

  /** Logs out. */
  async leaves(): Promise<void> {
    await this.press(/Tu cuenta$/)
    await this.the('menuitem', 'Salir').waitFor()
    await this.still()
    await this.press('Salir', 'menuitem')
    await this.at('Tus recados te esperan')
  }

  /** The heading of the page. */
  at(title: string): Promise<void> {
    return this.page.getByRole('heading', { level: 1 }).filter({ hasText: title, visible: true }).waitFor()
  }

  private toast(text: string): Locator {
    return this.page.locator('.mantine-Notification-root').filter({ hasText: text })
  }

  /** Points at each toast with these words the moment it is there: under a pointer it stays until somebody uses it. */
  async holds(words: string): Promise<void> {
    await this.page.evaluate(keepToastsOpen, words)
  }

  /** Is told of what was done, in a corner: it may have been there for three seconds only. */
  async learns(text: string): Promise<void> {
    const known = async () => (await this.page.evaluate(wasToastShown, text)) || (await this.toast(text).count()) > 0
    await expect.poll(known, { message: `told: ${text}` }).toBe(true)
  }

  /** The same, and closes it unless it went first. */
  async told(text: string): Promise<void> {
    await this.learns(text)
    const toast = this.toast(text)
    // The one that stands there now: a click that waits for the next one with these words would close that.
    for (const close of await toast.getByRole('button', { name: 'Cerrar' }).elementHandles())
      await close.click({ timeout: waitTimeoutMs / 4 }).catch(() => undefined)
    // Whoever points at one keeps it there.
    if ((await toast.count()) > 0) await this.page.mouse.move(0, 0)
    await this.misses(toast)
  }

  /** Answers the question before something grave. */
  async confirm(verb: string): Promise<void> {
    const question = this.page.getByRole('dialog', { name: /^¿/ }).filter({ visible: true })
    await this.press(verb, 'button', question)
    await this.misses(question)
  }

  /** Only what is drawn stays: waits until nothing moves any more. */
  private settle(): Promise<unknown> {
    return this.page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((one) => Number.isFinite(Number(one.effect?.getComputedTiming().endTime ?? 0)))
          .map((one) => one.finished.catch(() => undefined)),
      ),
    )
  }

  /** What axe finds in the page as it stands. It is brought along once for each page. */
  private async look(rules: axe.RunOptions, exclude: string[]): Promise<Violation[]> {
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

  /** No serious finding of axe, by day and by night. Leaves the page in daylight. */
  async scan({ toasts = false } = {}): Promise<void> {
    // Most of a slow story would be this, and what is hunted there is what happens too early.
    if (cpuSlowdown > 1) return
    const found: string[] = []
    for (const scheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme: scheme })
      await this.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
      await this.settle()
      // Most toasts leave while they are looked at; one that stays has its story.
      const violations = await this.look(
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

  /** Pictures for people, by day and by night, when SHOTS=1. */
  async shot(name: string): Promise<void> {
    if (process.env.SHOTS !== '1') return
    for (const scheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme: scheme })
      await this.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
      await this.settle()
      await this.page.screenshot({ path: join(this.output, `${name}${scheme === 'dark' ? '-dark' : ''}.png`) })
    }
  }
}

/**
 * In the browser: a dialog takes the focus a moment after it is drawn, and what is written goes where the focus is. Not
 * every one does: twenty frames are longer than that moment, on any machine.
 */
async function waitForDialogFocus(field: Element): Promise<void> {
  const dialog = field.closest('[role=dialog]')
  for (let n = 0; n < 20 && dialog && !dialog.contains(document.activeElement); n++)
    await new Promise(requestAnimationFrame)
}

/** The live connections of a page on which the server has said that it listens. */
const liveSockets = new WeakMap<Page, Set<WebSocket>>()
/** What a page has asked for and not got yet. */
const pendingRequests = new WeakMap<Page, Set<Request>>()

export function trackPageTraffic(page: Page): void {
  const open = new Set<WebSocket>()
  liveSockets.set(page, open)
  const under = new Set<Request>()
  pendingRequests.set(page, under)
  const over = (request: Request) => under.delete(request)
  page.on('request', (request) => under.add(request))
  page.on('requestfinished', over).on('requestfailed', over)
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => `${payload}`.includes('"ready"') && open.add(socket))
    socket.on('close', () => open.delete(socket))
  })
}

/** Until a page hears: what is said once, to whoever listens at that moment, is not repeated to it. */
export const waitUntilLive = (page: Page): Promise<void> =>
  expect.poll(() => liveSockets.get(page)?.size ?? 0, { message: `${page.url()} hears` }).toBeGreaterThan(0)

/** In the browser: writes down what is told in a corner, as it goes by itself. */
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

/** In the browser: a pointer that comes to every toast with these words, and does not go. */
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

/** In the browser: whether that was told, lately and once. */
function wasToastShown(text: string): boolean {
  const { told } = globalThis as unknown as { told: RecordedToast[] }
  const plain = (one: string) => one.replace(/\s+/g, ' ').toLowerCase()
  const isIt = (one: RecordedToast) => plain(one.text).includes(plain(text)) && performance.now() - one.at < 20_000
  const at = told.findIndex(isIt)
  if (at >= 0) told.splice(at, 1)
  return at >= 0
}
