import type { Page } from 'playwright-core'

/** Errors that a user would not notice but that must fail a story: one entry each. */
export type PageProblems = string[]

export function collectPageProblems(page: Page, address: string, problems: PageProblems): void {
  const pathOf = (url: string) => url.replace(address, '').replace(/\?.*/, '')
  page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // Includes CSP violations. Refused calls are skipped: the response handler below reports them in detail.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource: the server responded'))
      problems.push(`console: ${message.text()} (${pathOf(message.location().url)})`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    const request = response.request()
    problems.push(`${response.status()} ${request.method()} ${pathOf(response.url())}`)
  })
}
