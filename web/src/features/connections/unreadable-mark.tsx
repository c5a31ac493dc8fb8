import type { Connection } from '@recado/contract/connections'
import { IconLockQuestion } from '@tabler/icons-react'
import { formatDayTime } from '../../lib/format.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import classes from './pace.module.css'

const texts = defineTexts({
  es: {
    unreadable: (since: string) => `Mensajes ilegibles desde el ${since}`,
    help: 'Llegan tantos que solo una parte se vuelve a pedir a quien los envió. Los demás mensajes y las otras líneas siguen como siempre. El aviso se quita solo cuando termina.',
  },
  pt: {
    unreadable: (since) => `Mensagens ilegíveis desde ${since}`,
    help: 'Chegam tantas que só uma parte é pedida de novo a quem enviou. As demais mensagens e as outras linhas seguem normalmente. O aviso some sozinho quando isso termina.',
  },
  en: {
    unreadable: (since) => `Unreadable messages since ${since}`,
    help: 'So many arrive that only some are requested again from their senders. Other messages and other lines go on as usual. This notice goes away by itself when it ends.',
  },
})

/** Says that a linked phone gets many messages that cannot be decrypted. */
export function UnreadableMark({ line: { unreadableSince } }: { line: Connection }) {
  const words = useTexts(texts)
  if (!unreadableSince) return null
  const text = words.unreadable(formatDayTime(unreadableSince))
  return (
    <span className={classes.locked} title={`${text}. ${words.help}`}>
      <IconLockQuestion size={14} stroke={1.75} aria-hidden="true" />
      <span>{text}</span>
    </span>
  )
}
