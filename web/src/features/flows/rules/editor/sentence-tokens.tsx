import { Fragment, type ReactNode } from 'react'
import { type PatternPart, parsePattern } from '../../sentence/pattern.ts'
import classes from './editor.module.css'

type Props = {
  pattern: string
  /** Replaces what stands in brackets. */
  head?: ReactNode
  slots: Record<string, ReactNode>
}

/** A sentence in which some words can be changed. */
export function SentenceTokens({ pattern, head, slots }: Props) {
  const draw = ({ kind, text }: PatternPart): ReactNode => {
    if (kind === 'slot') return slots[text]
    return kind === 'head' && head ? head : <span>{text}</span>
  }
  const parts = withMarks(parsePattern(head ? pattern : pattern.replace(/[[\]]/g, '')))
  return (
    <span className={classes.sentence}>
      {parts.map(({ mark, ...part }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pattern does not change its order
        <Fragment key={i}>
          {mark ? (
            <span className={classes.withMark}>
              {draw(part)}
              <span>{mark}</span>
            </span>
          ) : (
            draw(part)
          )}
        </Fragment>
      ))}
    </span>
  )
}

/** Punctuation belongs to the part before it, so that no line begins with it. */
function withMarks(parts: PatternPart[]): (PatternPart & { mark: string })[] {
  const marked: (PatternPart & { mark: string })[] = []
  for (const part of parts) {
    const before = marked.at(-1)
    const mark = before && part.kind === 'text' ? (/^[,.;:]/.exec(part.text)?.[0] ?? '') : ''
    if (before) before.mark = mark
    const text = part.text.slice(mark.length).trim()
    if (text) marked.push({ ...part, text, mark: '' })
  }
  return marked
}
