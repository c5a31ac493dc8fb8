import { IconArrowDown } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { threadTexts } from './texts.ts'
import classes from './thread.module.css'

/** The button back to the end, with the count of new messages. */
export function ScrollToEndButton({ count, onPress }: { count: number; onPress: () => void }) {
  const words = useTexts(threadTexts)
  return (
    <button
      type="button"
      className={classes.pill}
      data-quiet={count === 0 || undefined}
      aria-label={count === 0 ? words.toEnd : undefined}
      onClick={onPress}
    >
      <IconArrowDown size={18} stroke={1.75} aria-hidden="true" />
      {count > 0 && words.newMessages(count)}
    </button>
  )
}
