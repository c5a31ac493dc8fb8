import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useResync } from '../../lib/live.ts'
import { canUseServiceWorker, getServiceWorker } from '../../lib/service-worker.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from './texts.ts'

/**
 * A new server version brings a new app and service worker. Users are not interrupted: they can load the new version
 * at once, or the page reloads at the next change of screen. Drafts are kept.
 */
export function useNewBuildReload(): void {
  const router = useRouter()
  // A server that was down may have come back as a newer version.
  useResync(() => void getServiceWorker().then((worker) => worker?.update().catch(() => undefined)))
  useEffect(() => {
    if (!canUseServiceWorker()) return
    const workers = navigator.serviceWorker
    // A browser's first service worker takes control of a page of the same build: that is no reason to reload.
    let ours = workers.controller !== null
    let stale = false
    const change = () => {
      if (ours && !stale) offerNewBuild()
      stale ||= ours
      ours = true
    }
    workers.addEventListener('controllerchange', change)
    const leave = router.subscribe('onBeforeNavigate', ({ toLocation, pathChanged }) => {
      if (stale && pathChanged && screenOf(toLocation.pathname) !== screenOf(location.pathname)) {
        stale = false
        location.assign(toLocation.href)
      }
    })
    return () => {
      workers.removeEventListener('controllerchange', change)
      leave()
    }
  }, [router])
}

function offerNewBuild(): void {
  const words = currentTexts(texts)
  const reload = { label: words.reload, run: () => location.reload() }
  toast.info(words.newBuild, words.newBuildLine, { id: 'new-build', isPersistent: true, action: reload })
}

const screenOf = (path: string) => path.split('/')[1]
