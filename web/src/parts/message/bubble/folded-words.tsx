import { type ReactNode, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { openingOf } from '../body/opening.ts'
import { RichWords } from '../body/rich-words.tsx'
import { texts } from '../texts.ts'

/** What somebody wrote. A very long text shows its beginning until one asks for the rest. */
export function FoldedWords({ text }: { text: string }): ReactNode {
  const words = useTexts(texts)
  const [whole, setWhole] = useState(false)
  const opening = whole ? null : openingOf(text)
  if (opening === null) return <RichWords text={text} />
  return (
    <>
      <RichWords text={opening} />
      {'… '}
      <button type="button" data-more onClick={() => setWhole(true)}>
        {words.readMore}
      </button>
    </>
  )
}
