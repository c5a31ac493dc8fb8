import { Loader, Modal, TextInput } from '@mantine/core'
import { flowsApi } from '@recado/contract/flows/flows'
import { fold } from '@recado/contract/text/fold'
import type { Ticket } from '@recado/contract/tickets'
import { IconMessage2Share, IconRoute2, IconSearch, IconSitemap } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { type StartableFlow, useStartableFlows } from '../../ticket/use-startable-flows.ts'
import classes from './choice-dialog.module.css'
import { moveFocus } from './move-focus.ts'
import { startFlowTexts } from './start-flow-texts.ts'
import { useFocusReturn } from './use-focus-return.ts'

/** More are found faster by typing. */
const minForSearch = 8

const icons = { rule: IconRoute2, sequence: IconMessage2Share, flow: IconSitemap }

type Props = { ticket: Ticket; opened: boolean; onClose: () => void }

/** Chooses a flow and starts it in the conversation. */
export function StartFlowDialog({ ticket, opened, onClose: close }: Props) {
  const words = useTexts(startFlowTexts)
  const { data: flows, error } = useStartableFlows()
  const [typed, setTyped] = useState('')
  const [isStarting, setIsStarting] = useState(false)
  const returnFocus = useFocusReturn()
  const onClose = () => {
    close()
    returnFocus()
  }
  const start = async ({ id, name }: StartableFlow) => {
    setIsStarting(true)
    try {
      await callApi(flowsApi.startInTicket, { params: { ticketId: ticket.id }, body: { flowId: id } })
      toast.ok(words.started(name))
      onClose()
    } catch (failure) {
      toast.error(failure)
    } finally {
      setIsStarting(false)
    }
  }
  const hasSearch = (flows?.length ?? 0) >= minForSearch
  const shown = (flows ?? []).filter(({ name }) => fold(name).includes(fold(typed.trim())))
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.title}
      size={420}
      centered
      returnFocus={false}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {hasSearch && (
        <TextInput
          className={classes.field ?? ''}
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={16} stroke={1.75} />}
          value={typed}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs; these are buttons. */}
      <div role="group" aria-label={words.title} className={classes.scrolled} onKeyDown={moveFocus}>
        {shown.map((flow, i) => {
          const Icon = icons[flow.kind]
          return (
            <button
              key={flow.id}
              type="button"
              className={classes.choice}
              disabled={isStarting}
              data-autofocus={(i === 0 && !hasSearch) || undefined}
              onClick={() => void start(flow)}
            >
              <Icon size={18} stroke={1.75} aria-hidden="true" />
              <span className={classes.word}>{flow.name}</span>
            </button>
          )
        })}
        {!flows && !error && <Loader size="sm" m="md" aria-label={words.loading} />}
        {error && <p className={classes.none}>{words.failed}</p>}
        {flows && shown.length === 0 && <p className={classes.none}>{words.none}</p>}
      </div>
    </Modal>
  )
}
