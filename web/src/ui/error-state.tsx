import { Button } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { useErrorText } from '../lib/errors.ts'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './state.module.css'

const texts = defineTexts({
  es: { title: 'No pudimos cargar esta página', retry: 'Reintentar' },
  pt: { title: 'Não conseguimos carregar esta página', retry: 'Tentar de novo' },
  en: { title: "We couldn't load this page", retry: 'Try again' },
})

type Props = { title?: string; error?: unknown; line?: string; onRetry: () => void }

/** A load error with its text, and a retry button. */
export function ErrorState({ title, error, line, onRetry }: Props) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  return (
    <div className={classes.root} role="alert">
      <span className={classes.icon} data-kind="danger">
        <IconCloudOff size={26} stroke={1.6} />
      </span>
      <h2 className={classes.title}>{title ?? words.title}</h2>
      <p className={classes.line}>{line ?? errorText(error)}</p>
      <div className={classes.action}>
        <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.75} />} onClick={onRetry}>
          {words.retry}
        </Button>
      </div>
    </div>
  )
}
