import { Skeleton } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { menuToFlow } from '@recado/contract/flows/menu-to-flow'
import type { Queue } from '@recado/contract/queues'
import { companyMenuWords } from '@recado/contract/text/default-texts'
import { IconChevronRight } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { useQueues } from '../../../parts/use-queues.ts'
import { useSettings } from '../../../parts/use-settings.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import classes from './new-flow.module.css'
import { newFlowTexts } from './texts.ts'

type Props = { onCreate: (name: string, document: FlowDocument) => Promise<void>; isBusy: boolean }

/** The queues that have a menu. One that is clicked is copied into a flow. */
export function MenuChoice({ onCreate, isBusy }: Props) {
  const words = useTexts(newFlowTexts)
  const { data: queues, error, refetch } = useQueues()
  const settings = useSettings()
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!queues || !settings.isFetched) return <Skeleton height={48} radius={10} />
  const withMenu = queues.filter(({ options }) => options.length > 0)
  const copy = ({ id, name, greetingMessage, options }: Queue) => {
    const menuWords = { ...companyMenuWords(settings.getValue), more: words.more }
    const { document, left } = menuToFlow({ id, name, greetingMessage: greetingMessage ?? '', options }, menuWords)
    if (left.length) toast.warn(words.tooLarge, words.tooLargeLine(left.length))
    void onCreate(name.slice(0, 80), document)
  }
  return (
    <div className={classes.body}>
      <p>{words.menuLine}</p>
      {withMenu.length === 0 && <p>{words.noMenus}</p>}
      <ul className={classes.queues}>
        {withMenu.map((queue) => (
          <li key={queue.id}>
            <button type="button" disabled={isBusy} onClick={() => copy(queue)}>
              <ColorDot color={queue.color} />
              <b>{queue.name}</b>
              <span>{words.options(queue.options.length)}</span>
              <IconChevronRight size={16} stroke={1.75} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
