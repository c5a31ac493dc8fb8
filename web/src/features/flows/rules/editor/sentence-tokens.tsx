import { Fragment, type ReactNode } from 'react'
import { parsePattern } from '../../sentence/pattern.ts'
import classes from './editor.module.css'

type Props = {
  pattern: string
  /** Replaces what stands in brackets. */
  head?: ReactNode
  slots: Record<string, ReactNode>
}

/** A sentence in which some words can be changed. */
export const SentenceTokens = ({ pattern, head, slots }: Props) => (
  <span className={classes.sentence}>
    {parsePattern(head ? pattern : pattern.replace(/[[\]]/g, '')).map(({ kind, text }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a pattern does not change its order
      <Fragment key={i}>
        {kind === 'slot' ? (
          slots[text]
        ) : kind === 'head' && head ? (
          head
        ) : (
          <span data-punctuation={/^[,.;:]/.test(text) || undefined}>{text}</span>
        )}
      </Fragment>
    ))}
  </span>
)
