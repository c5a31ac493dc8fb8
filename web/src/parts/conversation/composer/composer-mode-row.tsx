import { Switch } from '@mantine/core'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../message/composer/composer.module.css'
import { useDraft } from '../../message/composer/drafts.ts'
import { type ComposerMode, draftKey } from '../outgoing/composer-keys.ts'
import { ReplyWindowTimeLeft } from './reply-window-time-left.tsx'
import { texts } from './texts.ts'

type Props = {
  ticketId: number
  mode: ComposerMode
  onModeChange: (mode: ComposerMode) => void
  timeLeftMs: number | null
  isSigned: boolean
  onSignedChange: (on: boolean) => void
}

/** The choice of reply or note, and whether a reply is signed with the agent's name. */
export function ComposerModeRow({ ticketId, mode, onModeChange, timeLeftMs, isSigned, onSignedChange }: Props) {
  const words = useTexts(texts)
  return (
    <div className={classes.modes}>
      {(['reply', 'note'] as const).map((one) => (
        <ModeButton key={one} {...{ ticketId, buttonMode: one, mode, onModeChange: onModeChange }} />
      ))}
      <span className={classes.grow} />
      {mode === 'reply' && timeLeftMs !== null && <ReplyWindowTimeLeft timeLeftMs={timeLeftMs} />}
      {mode === 'note' ? (
        <span className={classes.aside}>{words.onlyTeam}</span>
      ) : (
        <Switch
          classNames={{ root: classes.sign ?? '', body: classes.signBody ?? '', label: classes.signLabel ?? '' }}
          label={words.sign}
          labelPosition="right"
          checked={isSigned}
          onChange={(event) => onSignedChange(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}

type ButtonProps = {
  ticketId: number
  buttonMode: ComposerMode
  mode: ComposerMode
  onModeChange: (mode: ComposerMode) => void
}

function ModeButton({ ticketId, buttonMode: one, mode, onModeChange }: ButtonProps) {
  const words = useTexts(texts)
  const [draft] = useDraft(draftKey(ticketId, one))
  const waits = one !== mode && draft !== ''
  return (
    <button type="button" className={classes.mode} aria-pressed={one === mode} onClick={() => onModeChange(one)}>
      {words[one]}
      {waits && (
        <>
          <span className={classes.dot} aria-hidden="true" />
          <span className="rc-sr">, {words.hasDraft}</span>
        </>
      )}
    </button>
  )
}
