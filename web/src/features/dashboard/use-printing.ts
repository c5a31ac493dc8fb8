import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { figuresKey } from './use-figures.ts'

const frame = () => new Promise(requestAnimationFrame)

/** The whole page on paper, by day: first what nobody has scrolled to yet is read. */
export function usePrinting(): [boolean, () => void] {
  const client = useQueryClient()
  const [isPrinting, setPrinting] = useState(false)
  const print = async () => {
    setPrinting(true)
    await import('./more/sections.tsx')
    do {
      // As the browser's own menu does: whatever waits to be seen hears it (seen.tsx), and so does what it brings.
      window.dispatchEvent(new Event('beforeprint'))
      for (let n = 0; n < 3; n++) await frame()
      // A query has its answer before React has drawn it, so the page itself says what is still missing.
    } while (document.querySelector('[data-unseen], [data-busy]') || client.isFetching({ queryKey: [figuresKey] }) > 0)
    setPrinting(false)
    await frame()
    const { dataset } = document.documentElement
    const { mantineColorScheme: was } = dataset
    dataset.mantineColorScheme = 'light'
    window.print()
    if (was) dataset.mantineColorScheme = was
  }
  return [isPrinting, () => void print().finally(() => setPrinting(false))]
}
