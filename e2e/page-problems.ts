import type { Page } from 'playwright-core'

/** What no person would notice and every story must: one line each. */
export type PageProblems = string[]

export function collectPageProblems(page: Page, address: string, problems: PageProblems): void {
  const pathOf = (url: string) => url.replace(address, '').replace(/\?.*/, '')
  page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // Content policy violations are told here too. Refused calls are told twice: the reply below says which one it was.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource: the server responded'))
      problems.push(`console: ${message.text()} (${pathOf(message.location().url)})`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    const request = response.request()
    problems.push(`${response.status()} ${request.method()} ${pathOf(response.url())}`)
  })
}
