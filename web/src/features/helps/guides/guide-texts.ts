import { useEffect, useState } from 'react'
import { currentTexts, type Language, useLanguage } from '../../../lib/texts.ts'
import type { Guides } from './guide-ids.ts'

const loaders: Record<Language, () => Promise<{ guides: Guides }>> = {
  es: () => import('./guides-es.ts'),
  pt: () => import('./guides-pt.ts'),
  en: () => import('./guides-en.ts'),
}

/** The guides in the user's language: each language is a file of its own. Null while they load. */
export function useGuides(): Guides | null {
  const [language] = useLanguage()
  const [loaded, setLoaded] = useState<{ language: Language; guides: Guides } | null>(null)
  useEffect(() => {
    let isCurrent = true
    loaders[language]()
      .then(({ guides }) => isCurrent && setLoaded({ language, guides }))
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [language])
  if (loaded?.language !== language) return null
  const { guides } = loaded
  return currentTexts({ es: guides, pt: guides, en: guides })
}
