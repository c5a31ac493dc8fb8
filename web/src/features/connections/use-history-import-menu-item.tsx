import { type Connection, connectionsApi } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { IconHistory, IconHistoryOff } from '@tabler/icons-react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { unsupportedAbilityTexts } from '../../parts/line/line-abilities.ts'
import type { RowCommands } from '../../records/table-column.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { historyImportTexts } from './history-import-texts.ts'

const icon = { size: 16, stroke: 1.75 }

/** An item in a line's menu: import earlier messages, or stop the import. If impossible, disabled with the reason. */
export function useHistoryImportMenuItem(): (line: Connection) => RowCommands['more'][number] {
  const words = useTexts(historyImportTexts)
  const abilities = useTexts(unsupportedAbilityTexts)
  const run = async (line: Connection, on: boolean) => {
    try {
      const params = { whatsappId: line.id }
      await (on ? callApi(connectionsApi.askPast, { params }) : callApi(connectionsApi.stopPast, { params }))
      if (on) toast.info(words.ask, words.asked)
    } catch (error) {
      toast.error(error)
    }
  }
  return (line) => {
    if (line.history?.state === 'running')
      return { key: 'past', label: words.stop, icon: <IconHistoryOff {...icon} />, run: () => void run(line, false) }
    const down = line.status === 'CONNECTED' ? '' : words.connectFirst
    const cannot = line.cannot.includes('history') ? abilities.history : down
    const start = async () => {
      const isWanted =
        !lineTraits[line.provider].pushesHistory ||
        (await openConfirm({
          title: words.onceTitle,
          consequence: words.onceText(line.name),
          verb: words.onceAsk,
        }))
      if (isWanted) await run(line, true)
    }
    return { key: 'past', label: words.ask, icon: <IconHistory {...icon} />, run: () => void start(), cannot }
  }
}
