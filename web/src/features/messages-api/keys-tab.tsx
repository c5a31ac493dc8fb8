import type { ApiKey } from '@recado/contract/api-access/api-keys'
import { useRef } from 'react'
import { useTexts } from '../../lib/texts.ts'
import type { RecordList } from '../../records/use-records.ts'
import type { CreatedKey } from './keys/key-source.ts'
import { KeysSection } from './keys/keys-section.tsx'
import classes from './keys-tab.module.css'
import { texts } from './texts.ts'
import { WebhooksSection } from './webhooks/webhooks-section.tsx'

type Props = { keys: RecordList<ApiKey>; onCreated: (made: CreatedKey) => void }

/** API keys and webhooks. */
export function KeysTab({ keys, onCreated }: Props) {
  const words = useTexts(texts)
  const scrollRef = useRef<HTMLDivElement>(null)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scrollRef} className={classes.scroller} tabIndex={0} aria-label={words.tabs.keys}>
      <KeysSection keys={keys} scrollRef={scrollRef} onCreated={onCreated} />
      <WebhooksSection />
    </section>
  )
}
