/**
 * A chunk that the server no longer has means that the server has a newer app. A reload loads the newer app, and drafts
 * are kept. Without a network the page stays as it is.
 */
export function watchForNewBuild(): void {
  addEventListener('vite:preloadError', () => void reloadIfStale())
}

async function reloadIfStale(): Promise<void> {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src')
  const answer = await fetch('/', { headers: { accept: 'text/html' } }).catch(() => null)
  if (own && answer?.ok && !(await answer.text()).includes(own)) location.reload()
}
