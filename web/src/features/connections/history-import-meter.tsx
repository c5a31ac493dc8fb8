import { type Connection, connectionsApi } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { historyImportTexts } from './history-import-texts.ts'
import classes from './pace.module.css'
import { useSessionCall } from './use-session-call.ts'

/** The result of an import stays visible this long. */
const resultShownMs = 3600_000

type Props = {
  line: Connection
  /** Whether there is room for the whole sentence. */
  hasRoom?: boolean
  /** Shown while there is no import to report. */
  fallback?: ReactNode
}

/** The progress of the history import with a stop button; afterwards its result, for `resultShownMs`. */
export function HistoryImportMeter({ line, hasRoom = false, fallback = null }: Props) {
  const words = useTexts(historyImportTexts)
  const { busy, run } = useSessionCall(line)
  const { history } = line
  const progressText = useHistoryImportText(line)
  if (!history || !progressText) return fallback
  const { state } = history
  const chats = history.percent === null ? history.chats : 100
  const done = history.percent ?? history.done
  return (
    <span className={classes.meter} title={progressText}>
      {state === 'running' && chats > 0 && (
        <meter className={classes.bar} min={0} max={chats} value={done} aria-label={progressText} />
      )}
      <span>
        {state === 'running' && chats > 0 && !hasRoom && history.percent === null
          ? words.share(formatNumber(done), formatNumber(chats))
          : progressText}
      </span>
      {state === 'running' && (
        <button
          type="button"
          className={classes.stop}
          disabled={busy}
          aria-label={words.stopOf(line.name)}
          onClick={() => void run(connectionsApi.stopPast)}
        >
          {words.stopShort}
        </button>
      )}
    </span>
  )
}

function useHistoryImportText({ history, provider }: Connection): string {
  const words = useTexts(historyImportTexts)
  if (!history) return ''
  const { pushesHistory } = lineTraits[provider]
  const { state, chats, done, percent, messages, startedAt } = history
  const came = words.came(messages, formatNumber(messages))
  if (state === 'running') {
    if (percent !== null)
      return [words.percent(formatNumber(percent)), messages > 0 && came].filter(Boolean).join(' · ')
    if (chats === 0) return pushesHistory ? words.waiting : words.looking
    return [words.running(formatNumber(done), formatNumber(chats)), messages > 0 && came].filter(Boolean).join(' · ')
  }
  return Date.now() - new Date(startedAt).getTime() < resultShownMs ? words.ended[state](came) : ''
}
