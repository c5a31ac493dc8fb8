/**
 * Code this page asks for and the server no longer has: a newer app is being served. Loading anew brings it, and what
 * was being written is kept. Whoever merely has no network stays where they are.
 */
export function watchForNewBuild(): void {
  addEventListener('vite:preloadError', () => void reloadIfStale())
}

async function reloadIfStale(): Promise<void> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  const answer = await fetch('/', { headers: { accept: 'text/html' } }).catch(() => null)
  if (own && answer?.ok && !(await answer.text()).includes(own)) location.reload()
}
