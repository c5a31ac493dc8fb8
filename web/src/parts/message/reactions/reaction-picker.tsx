import { Portal } from '@mantine/core'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import classes from './reactions.module.css'

type Props = { left: number; top: number; onPick: (emoji: string) => void; onClose: () => void }

/** The size of the picker in the stylesheet, with a margin. */
const size = { width: 352, height: 340, air: 8 }

/** A picker with all emoji above the message. If there is no room it is moved into the window. */
export function ReactionPicker({ left, top, onPick, onClose }: Props) {
  const width = Math.min(size.width, innerWidth - 2 * size.air)
  const x = Math.min(Math.max(left, size.air), innerWidth - width - size.air)
  const y = Math.min(Math.max(top, size.height + 2 * size.air), innerHeight - size.air)
  return (
    <Portal>
      <div className={classes.picker} style={{ left: x, top: y, width }}>
        <EmojiPicker onPick={onPick} onClose={onClose} />
      </div>
    </Portal>
  )
}
