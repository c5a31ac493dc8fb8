import { useEffect } from 'react'

/** The name of the page in the browser's tab. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Recado` : 'Recado'
  }, [title])
}
