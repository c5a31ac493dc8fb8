import { Anchor } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import { IconPaperclip, IconStack2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { macroTexts } from '../../macros/texts.ts'
import classes from '../../message/composer/composer.module.css'
import { truncateLabel } from '../../message/composer/match-quick-replies.ts'
import own from './quick-reply-list.module.css'
import { texts } from './texts.ts'
import { countSteps, type QuickReplyListState, type SlashOption } from './use-quick-replies.ts'

const MacroDetails = lazy(() => import('../../macros/macro-details.tsx'))

const keyOf = (option: SlashOption) =>
  option.kind === 'macro' ? `macro-${option.macro.id}` : `reply-${option.reply.id}`

export const slashOptionId = (list: string, option: SlashOption | undefined): string | undefined =>
  option && `${list}-${keyOf(option)}`

type Props = {
  id: string
  ticket: Ticket
  list: QuickReplyListState
  /** The text as the customer will read it. */
  fillVariables: (text: string) => string
  onPick: (option: SlashOption) => void
}

/** The list of macros and quick replies. The focus stays in the composer below; the pointer can select too. */
export function QuickReplyList(props: Props) {
  const { id, list, ticket, fillVariables } = props
  const words = useTexts(texts)
  const { macros } = useTexts(macroTexts)
  const active = list.options[list.activeIndex]
  const groups = (['macro', 'reply'] as const).map((kind) => ({
    kind,
    title: kind === 'macro' ? macros : words.quickReplies,
    options: list.options.filter((option) => option.kind === kind),
  }))
  return (
    <div className={`${classes.panel} ${own.root}`}>
      <span className="rc-sr" role="status">
        {words.replyCount(list.options.length)}
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
      <div className={own.columns} data-macro={active?.kind === 'macro' || undefined}>
        <div id={id} role="listbox" aria-label={words.quickReplies} className={own.list}>
          {groups
            .filter(({ options }) => options.length > 0)
            .map(({ kind, title, options }) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
              <div key={kind} role="group" aria-label={title}>
                <div className={own.title} aria-hidden="true">
                  {title}
                </div>
                {options.map((option) => (
                  <Option key={keyOf(option)} option={option} isActive={option === active} {...props} />
                ))}
              </div>
            ))}
        </div>
        {active?.kind === 'macro' && (
          <div className={own.macro}>
            <Suspense fallback={null}>
              <MacroDetails macro={active.macro} ticket={ticket} fillVariables={fillVariables} />
            </Suspense>
          </div>
        )}
        {/* Screen readers read the text with the option; this preview is for wide screens. */}
        {active?.kind === 'reply' && (
          <div className={own.whole} aria-hidden="true">
            {fillVariables(active.reply.message)}
            {active.reply.mediaName && (
              <small>
                <IconPaperclip size={14} stroke={2} /> {active.reply.mediaName}
              </small>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

function Option({
  id,
  option,
  isActive,
  list,
  fillVariables,
  onPick,
}: Props & { option: SlashOption; isActive: boolean }) {
  const words = useTexts(texts)
  const { steps } = useTexts(macroTexts)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const { shortcode } = option.kind === 'macro' ? option.macro : option.reply
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text below, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={slashOptionId(id, option)}
      ref={element}
      role="option"
      aria-selected={isActive}
      className={own.option}
      onPointerMove={() => !isActive && list.setActiveIndex(list.options.indexOf(option))}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPick(option)}
    >
      {option.kind === 'macro' && <IconStack2 size={16} stroke={1.75} aria-hidden="true" />}
      <b>/{shortcode.replace(/^\//, '')}</b>
      {option.kind === 'macro' ? (
        <>
          <span>{option.macro.name}</span>
          <small>{steps(countSteps(option.macro))}</small>
        </>
      ) : (
        <>
          <span>{truncateLabel(fillVariables(option.reply.message))}</span>
          {option.reply.mediaPath && <IconPaperclip size={14} stroke={2} aria-label={words.withFile} role="img" />}
          {isActive && <kbd>↵</kbd>}
        </>
      )}
    </div>
  )
}
