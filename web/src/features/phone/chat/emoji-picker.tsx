import { Popover } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import bubbles from './bubble.module.css'
import classes from './composer.module.css'

const emojis = [...'😀😂😊😍🤔😅😢😡👍👎🙏👏💪👋🎉🔥⭐❤✅❌📦🚚💰📍']

/** The ones customers use most: enough to try them. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const words = useTexts(texts)
  const [open, setOpen] = useState(false)
  return (
    <Popover opened={open} onChange={setOpen} position="top-start" trapFocus>
      <Popover.Target>
        <button type="button" className={classes.tool} aria-label={words.emoji} onClick={() => setOpen(!open)}>
          <IconMoodSmile size={18} stroke={1.75} />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <div className={classes.emojis}>
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              className={bubbles.emoji}
              onClick={() => {
                setOpen(false)
                onPick(emoji)
              }}
            >
              {emoji}
            </button>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
