import { useEffect } from 'react'
import { setPageName } from '../lib/page-title.ts'

/** Sets the tab title to the name of the page. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => setPageName(title), [title])
}
