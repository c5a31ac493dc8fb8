import type { Connection } from '@recado/contract/connections'
import type { Menu } from '@recado/contract/menu/menu'
import { queueOptionsApi } from '@recado/contract/queue-options'
import type { Queue } from '@recado/contract/queues'
import { companyMenuWords, companyTextLookup } from '@recado/contract/text/default-texts'
import type { Language } from '@recado/contract/users'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useLines } from '../../../parts/line/use-lines.ts'
import { useSettings } from '../../../parts/use-settings.ts'
import { getOptionNumber, getPath } from '../menu/menu-tree.ts'
import { type QueueFormValues, toDraftQueue } from '../queue-form-values.ts'
import { menuPreviewTexts } from './menu-preview-texts.ts'
import { findGreetingUse, linesLeadingTo, menuOfLine, type OrderedMenuQueue } from './simulate-menu.ts'

/** The state of the phone preview: the line, the option, and the conversation. */
export function useMenuPreview(id: number, queues: Queue[], initialLineIds: string[]) {
  const { hello } = useTexts(menuPreviewTexts)
  const settings = useSettings()
  const [lineIds, setLineIds] = useState(initialLineIds)
  const { all: allLines, lines, others } = useLinesAndOtherQueues(id, queues, lineIds)
  const [selectedLineId, setSelectedLineId] = useState<number | null>()
  const [selected, setSelected] = useState<string | null>(null)
  const [typedLines, setTypedLines] = useState<string[] | null>(null)
  // A line with real customers gives the most realistic preview.
  const line = selectedLineId === null ? null : (lines.find((one) => one.id === selectedLineId) ?? lines[0] ?? null)
  const menuFor = (values: QueueFormValues, lineId: number | null): Menu =>
    menuOfLine(
      withGreeting(
        lines.find((one) => one.id === lineId),
        values,
      ),
      toDraftQueue(values, id),
      others,
    )
  const pathTo = (values: QueueFormValues, menu: Menu) =>
    linesLeadingTo(
      menu,
      id,
      hello,
      getPath(values.options, selected).map((node) => getOptionNumber(values.options, node)),
    )
  const greetsOnlyQueue = settings.getValue('sendGreetingMessageOneQueues') === 'enabled'
  /** What customers receive while the queue is closed; null if no opening hours are in use. */
  const closedTextOf = ({ outOfHoursMessage }: QueueFormValues): string | null => {
    const type = settings.getValue('scheduleType')
    if (type !== 'queue' && type !== 'company') return null
    const own = type === 'queue' ? outOfHoursMessage : ''
    const companyText = companyTextLookup(settings.getValue, settings.getValue('language') as Language)
    return own || line?.outOfHoursMessage || companyText('outOfHoursText')
  }
  return {
    all: allLines,
    lines,
    line,
    greetsOnlyQueue,
    closedTextOf,
    greetingUseOf: (values: QueueFormValues) => findGreetingUse(menuFor(values, line?.id ?? null), id, greetsOnlyQueue),
    words: companyMenuWords(settings.getValue),
    getSetting: settings.getValue,
    selected,
    /** Selecting an option starts the conversation from the beginning. */
    select: (key: string | null) => {
      setSelected(key)
      setTypedLines(null)
    },
    setLine: (lineId: number | null) => {
      setSelectedLineId(lineId)
      setTypedLines(null)
    },
    menuFor,
    /** The customer's messages: typed by the user, or the path to the selected option. */
    customerLines: (values: QueueFormValues, menu: Menu): string[] => typedLines ?? pathTo(values, menu),
    followsSelection: typedLines === null,
    setCustomerLines: setTypedLines,
    /** Sets the lines that are chosen in the form: the preview plays their menu before it is saved. */
    setLineIds,
  }
}

export type MenuPreview = ReturnType<typeof useMenuPreview>

/** The line as it will be after saving: it gets the form's greeting if its customers choose between queues. */
const withGreeting = (line: Connection | undefined, { lineGreeting }: QueueFormValues): Connection | null => {
  if (!line) return null
  return line.queues.length > 1 ? { ...line, greetingMessage: line.greetingMessage || lineGreeting } : line
}

/** The lines that have this queue in the form, and the other queues that their customers may choose, with their menus. */
function useLinesAndOtherQueues(
  id: number,
  queues: Queue[],
  lineIds: string[],
): { all: Connection[]; lines: Connection[]; others: OrderedMenuQueue[] } {
  const allLines = useLines().data ?? []
  const lines = allLines
    .filter((line) => lineIds.includes(String(line.id)))
    .map((line) => ({
      ...line,
      queues: [...line.queues.filter((queue) => queue.id !== id), { id, name: '', color: '' }],
    }))
  const otherQueues = queues.filter(
    (queue) => queue.id !== id && lines.some((line) => line.queues.some((q) => q.id === queue.id)),
  )
  const menus = useQueries({
    queries: otherQueues.map((queue) => ({
      queryKey: ['queue-options', queue.id, 'near'],
      queryFn: () => callApi(queueOptionsApi.list, { query: { queueId: queue.id } }),
    })),
  })
  const others = otherQueues.map(({ id: queueId, name, greetingMessage, orderQueue }, i) => ({
    id: queueId,
    name,
    greetingMessage,
    orderQueue,
    options: menus[i]?.data ?? [],
  }))
  return { all: allLines, lines, others }
}
