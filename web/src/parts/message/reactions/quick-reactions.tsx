import { Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import classes from './reactions.module.css'
import { quickEmojis } from './reactions.ts'

type Props = {
  /** The user's current reaction; empty without a reaction. */
  ownReaction: string
  /** Why reactions are not possible here; empty when they are possible. */
  disabledReason: string
  onReact: (emoji: string) => void
  /** Absent when only the quick reactions are offered. */
  onOpenPicker?: () => void
}

/** The first row of a message's menu, which sends a reaction in one click. */
export function QuickReactions({ ownReaction, disabledReason, onReact, onOpenPicker }: Props) {
  const words = useTexts(texts)
  // A chosen emoji that is not a quick reaction is in the row too, so that it can be removed.
  const emojis =
    ownReaction && !quickEmojis.includes(ownReaction) ? [...quickEmojis.slice(0, -1), ownReaction] : quickEmojis
  const able = disabledReason ? { 'aria-disabled': true, closeMenuOnClick: false } : {}
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the items inside */}
      <div className={classes.quick} onKeyDown={moveFocus}>
        {emojis.map((emoji) => (
          <Menu.Item
            key={emoji}
            className={classes.emoji ?? ''}
            data-ours={emoji === ownReaction || undefined}
            aria-label={emoji === ownReaction ? words.takeBack(emoji) : words.reactWith(emoji)}
            {...able}
            onClick={() => !disabledReason && onReact(emoji === ownReaction ? '' : emoji)}
          >
            {emoji}
          </Menu.Item>
        ))}
        {onOpenPicker && (
          <Menu.Item
            className={classes.emoji ?? ''}
            aria-label={words.moreEmojis}
            {...able}
            onClick={() => !disabledReason && onOpenPicker()}
          >
            <IconPlus size={18} stroke={1.75} />
          </Menu.Item>
        )}
      </div>
      {disabledReason && <div className={classes.why}>{disabledReason}</div>}
    </>
  )
}

/** Moves the focus: left and right move within the row, while up and down belong to the menu. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const next = all[all.indexOf(event.target as HTMLElement) + (event.key === 'ArrowRight' ? 1 : -1)]
  event.preventDefault()
  next?.focus()
}
