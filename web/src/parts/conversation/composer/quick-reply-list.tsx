import { Anchor } from '@mantine/core'
import type { QuickMessage } from '@recado/contract/quick-messages'
import { IconPaperclip } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../message/composer/composer.module.css'
import { truncateLabel } from '../../message/composer/match-quick-replies.ts'
import own from './quick-reply-list.module.css'
import { texts } from './texts.ts'
import type { QuickReplyListState } from './use-quick-replies.ts'

export const quickReplyOptionId = (list: string, reply: QuickMessage | undefined): string | undefined =>
  reply && `${list}-${reply.id}`

type Props = {
  id: string
  list: QuickReplyListState
  /** The text as the customer will read it. */
  fillVariables: (text: string) => string
  onPick: (reply: QuickMessage) => void
}

/** The list of quick replies. The focus stays in the composer below; the pointer can select too. */
export function QuickReplyList({ id, list, fillVariables, onPick }: Props) {
  const words = useTexts(texts)
  const current = useRef<HTMLDivElement>(null)
  const pointed = list.replies[list.activeIndex]
  const chosen = pointed?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever is pointed at comes into view
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div className={`${classes.panel} ${own.root}`}>
      <div className={own.title} aria-hidden="true">
        {words.quickReplies}
      </div>
      <span className="rc-sr" role="status">
        {words.replyCount(list.replies.length)}
      </span>
      {list.emptyReason && (
        <p className={own.none}>
          {list.emptyReason === 'none-exist' ? words.noReplies : words.noReplyFound}{' '}
          {list.emptyReason === 'none-exist' && (
            <Anchor component={Link} inherit {...({ to: '/quick-messages', search: { new: true } } as object)}>
              {words.createReply}
            </Anchor>
          )}
        </p>
      )}
      <div className={own.columns}>
        <div id={id} role="listbox" aria-label={words.quickReplies} className={own.list}>
          {list.replies.map((reply, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text below, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={reply.id}
              id={quickReplyOptionId(id, reply)}
              ref={i === list.activeIndex ? current : null}
              role="option"
              aria-selected={i === list.activeIndex}
              className={own.option}
              onPointerMove={() => i !== list.activeIndex && list.setActiveIndex(i)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(reply)}
            >
              <b>/{reply.shortcode.replace(/^\//, '')}</b>
              <span>{truncateLabel(fillVariables(reply.message))}</span>
              {reply.mediaPath && <IconPaperclip size={14} stroke={2} aria-label={words.withFile} role="img" />}
              {i === list.activeIndex && <kbd>↵</kbd>}
            </div>
          ))}
        </div>
        {/* Screen readers read the text with the option; this preview is for wide screens. */}
        {pointed && (
          <div className={own.whole} aria-hidden="true">
            {fillVariables(pointed.message)}
            {pointed.mediaName && (
              <small>
                <IconPaperclip size={14} stroke={2} /> {pointed.mediaName}
              </small>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
