import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

type Role = Parameters<Page['getByRole']>[0]
type Place = Page | Locator

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The short form: a page reads it in half the time. */
const scanner = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = Pick<axe.Result, 'id' | 'impact' | 'help'> & {
  nodes: Pick<axe.NodeResult, 'html' | 'failureSummary'>[]
}
/** Whatever these find is called minor or moderate by axe, and is not asked for here: they need not be run. */
const lighter = [
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
const allButLighter = { rules: Object.fromEntries(lighter.map((id) => [id, { enabled: false }])) }
/** Night changes nothing but colours: what else there is to find was found by day. */
const inTheDark = { runOnly: { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] } }

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

  the(role: Role, name: string | RegExp, within: Place = this.page): Locator {
    return within.getByRole(role, { name, exact: typeof name === 'string' }).filter({ visible: true })
  }

  /** A field by its label, starred or not. */
  field(label: string, within: Place = this.page): Locator {
    const exactly = new RegExp(`^${literally(label)}( ?\\*)?$`)
    return within.locator('input, textarea').and(this.page.getByLabel(exactly)).filter({ visible: true })
  }

  press(name: string | RegExp, role: Role = 'button', within: Place = this.page): Promise<void> {
    return this.the(role, name, within).click()
  }

  write(label: string, text: string, within: Place = this.page): Promise<void> {
    return this.field(label, within).fill(text)
  }

  /** Opens a select and takes one of its options. */
  async choose(label: string, option: string): Promise<void> {
    await this.field(label).click()
    await this.press(option, 'option')
  }

  /** A switch. What it does is part of its label. */
  switch(name: string, within: Place = this.page): Locator {
    return within.getByRole('switch', { name: new RegExp(`^${literally(name)}`) })
  }

  /** By keyboard: the box is drawn beside the input, not on it. */
  flip(name: string, within: Place = this.page): Promise<void> {
    return this.switch(name, within).press('Space')
  }

  sees(text: string | RegExp, within: Place = this.page): Promise<void> {
    const found = within.getByText(text, { exact: typeof text === 'string' })
    return found.filter({ visible: true }).first().waitFor()
  }

  /** Nowhere, or no longer. */
  async misses(text: string | RegExp | Locator, within: Place = this.page): Promise<void> {
    const found =
      typeof text === 'object' && 'waitFor' in text ? text : within.getByText(text, { exact: typeof text === 'string' })
    await expect.poll(() => found.filter({ visible: true }).count(), { message: `${found}` }).toBe(0)
  }

  /** To another page as by a link: the app is not loaded again. */
  goes(path: string): Promise<void> {
    return this.page.evaluate((to) => history.pushState(null, '', to), path)
  }

  /** The heading of the page. */
  at(title: string): Promise<void> {
    return this.page.getByRole('heading', { level: 1 }).filter({ hasText: title, visible: true }).waitFor()
  }

  /** Sees what was done told in a corner, and closes it, unless it goes first. */
  async told(text: string): Promise<void> {
    const toast = this.page.locator('.mantine-Notification-root').filter({ hasText: text }).last()
    await toast.waitFor()
    const closed = toast.getByRole('button', { name: 'Cerrar' }).click({ timeout: 3000 })
    await closed.catch(() => undefined)
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
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(scanner)
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
    const found: string[] = []
    for (const scheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme: scheme })
      await this.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
      await this.settle()
      // Most toasts leave while they are looked at; one that stays has its story.
      const violations = await this.look(
        scheme === 'dark' ? inTheDark : allButLighter,
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
