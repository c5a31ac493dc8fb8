import { IconX } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { stepIcons } from './describe-step.ts'
import { setMacroTray, type MacroTray as Tray } from './macro-tray-store.ts'
import classes from './macros.module.css'
import { describeCode } from './run-macro.ts'
import { useStepSentences } from './step-list.tsx'
import { macroTexts } from './texts.ts'
import { useStepCheck } from './use-step-check.ts'

type Props = { ticketId: number; tray: Tray; hasMessage: boolean; onEmptied: () => void }

/** The prepared steps above the text. They run once the message is sent. */
export default function MacroTray({ ticketId, tray, hasMessage, onEmptied }: Props) {
  const words = useTexts(macroTexts)
  const { steps } = tray
  const sentences = useStepSentences(steps)
  const { data: check } = useStepCheck(ticketId, steps)
  const keep = (left: Tray['steps']) => {
    setMacroTray(ticketId, left.length > 0 ? { ...tray, steps: left } : null)
    onEmptied()
  }
  const title = hasMessage ? words.tray : words.trayAlone
  return (
    <section className={classes.tray} aria-label={title}>
      <b className={classes.trayTitle}>{title}</b>
      <ul className={classes.chips}>
        {steps.map((step, i) => {
          const Icon = stepIcons[step.kind]
          const text = sentences[i]?.text ?? ''
          const error = check?.errors[i]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id and keep their order.
            <li key={i} className={classes.chip} data-refused={error ? true : undefined} title={text}>
              <Icon size={14} stroke={1.75} aria-hidden="true" />
              <span className={classes.chipText}>
                {text}
                {error && <small>{describeCode(error)}</small>}
              </span>
              <button type="button" aria-label={words.removeStep(text)} onClick={() => keep(steps.toSpliced(i, 1))}>
                <IconX size={14} stroke={2} aria-hidden="true" />
              </button>
            </li>
          )
        })}
      </ul>
      {steps.length > 1 && (
        <button type="button" className={classes.clear} aria-label={words.removeAll} onClick={() => keep([])}>
          <IconX size={16} stroke={1.75} aria-hidden="true" />
        </button>
      )}
    </section>
  )
}
