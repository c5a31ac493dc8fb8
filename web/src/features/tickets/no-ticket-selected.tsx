import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { openNewTicketDialog } from '../../parts/ticket/ticket-dialog-state.ts'
import { Bubbles } from '../../ui/bubbles.tsx'
import classes from './tickets-page.module.css'

const texts = defineTexts({
  es: {
    title: 'Elige un ticket para empezar',
    line: 'O inicia una conversación con un contacto.',
    create: 'Nuevo ticket',
  },
  pt: {
    title: 'Escolha um ticket para começar',
    line: 'Ou inicie uma conversa com um contato.',
    create: 'Novo ticket',
  },
  en: {
    title: 'Choose a ticket to start',
    line: 'Or start a conversation with a contact.',
    create: 'New ticket',
  },
})

/** The placeholder that is shown while no conversation is open. */
export function NoTicketSelected() {
  const words = useTexts(texts)
  return (
    <div className={classes.none}>
      <Bubbles size={96} />
      <h2 className={classes.noneTitle}>{words.title}</h2>
      <p className={classes.noneLine}>{words.line}</p>
      <div className={classes.noneAction}>
        <Button leftSection={<IconPlus size={18} stroke={1.75} />} onClick={openNewTicketDialog}>
          {words.create}
        </Button>
      </div>
    </div>
  )
}
