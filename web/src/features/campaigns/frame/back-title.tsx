import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.ts'
import classes from './frame.module.css'
import { frameTexts } from './texts.ts'

/** A name, and the way back to the list it stands in. */
export function BackTitle({ to, children }: { to: '/campaigns' | '/contact-lists'; children: string }) {
  const words = useTexts(frameTexts)
  const navigate = useNavigate()
  return (
    <span className={classes.back}>
      <ActionIcon size={32} aria-label={words.back} onClick={() => void navigate({ to })}>
        <IconArrowLeft size={19} stroke={1.75} />
      </ActionIcon>
      <span className={classes.name} title={children}>
        {children}
      </span>
    </span>
  )
}
