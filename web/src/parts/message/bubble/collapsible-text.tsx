import { type ReactNode, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { cutLongText } from '../body/cut-long-text.ts'
import { RichText } from '../body/rich-text-view.tsx'
import { texts } from '../texts.ts'

/** The text of a message. A very long text is collapsed until the user expands it. */
export function CollapsibleText({ text }: { text: string }): ReactNode {
  const words = useTexts(texts)
  const [whole, setWhole] = useState(false)
  const opening = whole ? null : cutLongText(text)
  if (opening === null) return <RichText text={text} />
  return (
    <>
      <RichText text={opening} />
      {'… '}
      <button type="button" data-more onClick={() => setWhole(true)}>
        {words.readMore}
      </button>
    </>
  )
}
