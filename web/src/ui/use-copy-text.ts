import { useEffect, useState } from 'react'
import { copyText } from '../lib/copy.ts'

/**
 * Copies a text and shows a confirmation for two seconds. `copy` is for the button itself, because it needs its
 * position.
 */
export function useCopyText(text: string) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = ({ currentTarget }: { currentTarget: HTMLElement }) => void copyText(text, currentTarget).then(setCopied)
  return { wasCopied: copied, copy }
}
