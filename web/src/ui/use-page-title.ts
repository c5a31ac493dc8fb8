import { useEffect } from 'react'
import { setPageName } from '../lib/page-title.ts'

/** The name of the page in the browser's tab. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => setPageName(title), [title])
}
