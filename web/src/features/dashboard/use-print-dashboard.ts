import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKey } from './use-dashboard-reports.ts'

const nextFrame = () => new Promise(requestAnimationFrame)

/** Prints the whole page in the light theme, after loading the sections not scrolled into view. */
export function usePrintDashboard(): [boolean, () => void] {
  const client = useQueryClient()
  const [isPrinting, setPrinting] = useState(false)
  const print = async () => {
    setPrinting(true)
    await import('./sections/report-sections.tsx')
    do {
      // The browser's own print menu fires this event too: placeholders (render-when-visible.tsx) and their
      // content listen to it.
      window.dispatchEvent(new Event('beforeprint'))
      for (let n = 0; n < 3; n++) await nextFrame()
      // A query has its reply before React has drawn it, so this waits until the page contains no mark of missing
      // content.
    } while (
      document.querySelector('[data-unseen], [data-busy]') ||
      client.isFetching({ queryKey: [dashboardKey] }) > 0
    )
    setPrinting(false)
    await nextFrame()
    const { dataset } = document.documentElement
    const { mantineColorScheme: was } = dataset
    dataset.mantineColorScheme = 'light'
    window.print()
    if (was) dataset.mantineColorScheme = was
  }
  return [isPrinting, () => void print().finally(() => setPrinting(false))]
}
