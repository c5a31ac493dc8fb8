import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './back-title.module.css'

const texts = defineTexts({ es: { back: 'Volver' }, pt: { back: 'Voltar' }, en: { back: 'Back' } })

type Props = { to: '/campaigns' | '/contact-lists' | '/prompts'; children: string }

/** A title with a link back to its list. */
export function BackTitle({ to, children }: Props) {
  const words = useTexts(texts)
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
