import { Loader } from '@mantine/core'
import { IconAlertCircle, IconLanguage, IconSparkles, IconX } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import classes from './ai-assist.module.css'
import { texts } from './texts.ts'
import type { useAssistRequest } from './use-assist-request.ts'

type Props = Omit<ReturnType<typeof useAssistRequest>, 'start'> & { onDone: () => void }
const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }

/** The status of the AI request, between the modes and the text. */
export function AssistStatusBar({ status: help, cancel, close, undo, insertResult: use, onDone }: Props) {
  const words = useTexts(texts)
  const act = (action: () => void) => () => {
    action()
    onDone()
  }
  const closeButton = (
    <button type="button" className={classes.shut} aria-label={words.close} onClick={act(close)}>
      <IconX size={14} stroke={1.75} />
    </button>
  )
  // The element is always rendered: a live region inserted together with its text is not announced.
  return (
    <div role="status">
      {help?.phase === 'working' && (
        <div className={classes.strip}>
          <Loader size={14} aria-hidden="true" />
          <span className={classes.words}>{words.working[help.kind]}</span>
          <button type="button" className={classes.deed} onClick={act(cancel)}>
            {words.cancel}
          </button>
        </div>
      )}
      {help?.phase === 'done' && (
        <div className={classes.strip}>
          <IconSparkles {...icon} />
          <span className={classes.words}>
            <span>{words.done[help.kind]}</span>
            <Sources sources={help.sources} />
          </span>
          <button type="button" className={classes.deed} onClick={act(undo)}>
            {words.undo}
          </button>
          {closeButton}
        </div>
      )}
      {help?.phase === 'held' && (
        <div className={classes.strip} data-tall>
          <IconSparkles {...icon} />
          <span className={classes.words}>
            <b>{words.held}</b>
            <span className={classes.text}>{help.after}</span>
            <Sources sources={help.sources} />
          </span>
          <button type="button" className={classes.deed} onClick={act(use)}>
            {words.use}
          </button>
          {closeButton}
        </div>
      )}
      {help?.phase === 'said' && (
        <div className={classes.strip} data-tall>
          <IconLanguage {...icon} />
          <span className={classes.words}>
            <b>{words.said}</b>
            <span className={classes.text}>{help.text}</span>
          </span>
          {closeButton}
        </div>
      )}
      {help?.phase === 'failed' && (
        <div className={classes.strip} data-failed>
          <IconAlertCircle {...icon} />
          <span className={classes.words}>{failureText(words.reasons, help.reason)}</span>
          {closeButton}
        </div>
      )}
    </div>
  )
}

const failureText = (reasons: Record<string, string>, reason: string) => reasons[reason] ?? reasons.other

/** Lists each source once, with its positions. */
function Sources({ sources }: { sources: { knowledgeId: number; name: string; place: string }[] }) {
  const words = useTexts(texts)
  if (sources.length === 0) return null
  const named = Map.groupBy(sources, (one) => one.name)
  const all = [...named].map(([name, its]) => `${name} (${[...new Set(its.map((one) => one.place))].join(', ')})`)
  return (
    <span className={classes.sources}>
      {words.from} {all.join(' · ')}
    </span>
  )
}
