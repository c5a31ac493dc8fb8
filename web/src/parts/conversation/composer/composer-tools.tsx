import { Tooltip } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import { IconBolt, IconMicrophone, IconMoodSmile, IconTemplate } from '@tabler/icons-react'
import { type ComponentType, lazy, Suspense } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import type { LocationOrCard } from '../../message/attach/location-or-card.ts'
import classes from '../../message/composer/composer.module.css'
import type { ComposerMode } from '../outgoing/composer-keys.ts'
import { AttachMenu } from './attach-menu.tsx'
import { texts } from './texts.ts'

const AiAssist = lazy(() => import('../assist/ai-assist.tsx').then((module) => ({ default: module.AiAssist })))

type Props = {
  ticket: Ticket
  mode: ComposerMode
  /** The element above the text that shows the status of the AI request. */
  slotElement: HTMLElement | null
  panel: 'emoji' | 'replies' | null
  onFilesChosen: (files: File[]) => void
  onSendLocationOrCard: (body: string, thing: LocationOrCard) => void
  onOpenEmojis: () => void
  onOpenQuickReplies: () => void
  onRecord: () => void
  /** Defined only on the official API. */
  onOpenTemplates: (() => void) | undefined
  onFocus: () => void
}

/** The buttons below the text. Tools that a note does not support are hidden for notes. */
export function ComposerTools(props: Props) {
  const {
    ticket,
    mode,
    slotElement,
    panel,
    onFilesChosen,
    onSendLocationOrCard,
    onOpenEmojis,
    onOpenQuickReplies,
    onRecord,
    onOpenTemplates,
    onFocus,
  } = props
  const words = useTexts(texts)
  const { plan } = useSession()
  const reply = mode === 'reply'
  return (
    <>
      {reply && (
        <AttachMenu ticket={ticket} onFilesChosen={onFilesChosen} onSendLocationOrCard={onSendLocationOrCard} />
      )}
      <ToolButton label={words.emoji} icon={IconMoodSmile} isOpen={panel === 'emoji'} onClick={onOpenEmojis} />
      {reply && (
        <ToolButton
          label={words.quickReplies}
          icon={IconBolt}
          isOpen={panel === 'replies'}
          onClick={onOpenQuickReplies}
        />
      )}
      {reply && onOpenTemplates && <ToolButton label={words.templates} icon={IconTemplate} onClick={onOpenTemplates} />}
      {reply && <ToolButton label={words.record} icon={IconMicrophone} onClick={onRecord} />}
      {reply && plan?.useOpenAi && (
        <Suspense fallback={null}>
          <AiAssist ticket={ticket} slotElement={slotElement} onDone={onFocus} />
        </Suspense>
      )}
    </>
  )
}

type ToolProps = {
  label: string
  icon: ComponentType<{ size: number; stroke: number }>
  isOpen?: boolean
  onClick: () => void
}

function ToolButton({ label, icon: Icon, isOpen, onClick }: ToolProps) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        className={classes.tool}
        aria-label={label}
        aria-expanded={isOpen}
        // The click that closes a panel must not count as an outside click, which would close and reopen it.
        onMouseDown={(event) => isOpen && event.stopPropagation()}
        onClick={onClick}
      >
        <Icon size={18} stroke={1.75} />
      </button>
    </Tooltip>
  )
}
