import { Button, Group, Modal, Select, Skeleton } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { type LineMovePlan, lineMoveApi } from '@recado/contract/health/line-move'
import { lineTraits } from '@recado/contract/line-traits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import classes from './line-move.module.css'
import { lineMoveTexts } from './line-move-texts.ts'
import { listMoveTargets } from './move-targets.ts'

type Props = { line: Connection | undefined; lines: Connection[]; opened: boolean; onClose: () => void }

/** Moves the conversations of a line to a line of the other kind. Says before what changes, moves and stays. */
export function LineMoveDialog({ line, lines, opened, onClose }: Props) {
  const words = useTexts(lineMoveTexts)
  const phone = useIsPhone()
  return (
    <Modal
      opened={opened && line !== undefined}
      onClose={onClose}
      size={560}
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': words.close }}
      title={line && words.title(line.name)}
    >
      {line && <LineMoveSteps line={line} targets={listMoveTargets(line, lines)} onClose={onClose} />}
    </Modal>
  )
}

function LineMoveSteps({ line, targets, onClose }: { line: Connection; targets: Connection[]; onClose: () => void }) {
  const words = useTexts(lineMoveTexts)
  const errorText = useErrorText()
  const [chosenId, setChosenId] = useState<number | null>(targets.length === 1 ? (targets[0]?.id ?? null) : null)
  const [busy, setBusy] = useState(false)
  const target = targets.find(({ id }) => id === chosenId)
  const plan = useQuery({
    queryKey: ['line-move', line.id, chosenId],
    queryFn: ({ signal }) =>
      callApi(lineMoveApi.plan, { params: { id: line.id }, query: { toId: chosenId ?? 0 } }, { signal }),
    enabled: target !== undefined,
    retry: false,
    gcTime: 0,
  })
  const move = async () => {
    if (!target) return
    setBusy(true)
    try {
      await callApi(lineMoveApi.move, { params: { id: line.id }, body: { toId: target.id } })
      toast.ok(words.moved(target.name))
      onClose()
    } catch (error) {
      toast.error(error)
      void plan.refetch()
    }
    setBusy(false)
  }
  const running = plan.data?.runningCampaigns ?? 0
  return (
    <div className={classes.steps}>
      <Select
        label={words.to}
        placeholder={words.pick}
        allowDeselect={false}
        comboboxProps={{ shadow: 'lg' }}
        data={targets.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosenId === null ? null : String(chosenId)}
        onChange={(chosen) => setChosenId(chosen === null ? null : Number(chosen))}
      />
      {target && (
        <section>
          <h3>{words.changes}</h3>
          <ul>
            {(lineTraits[target.provider].account ? words.toOfficial : words.toPhone).map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </section>
      )}
      {plan.isError && <InlineNotice kind="danger">{errorText(plan.error)}</InlineNotice>}
      {target && plan.isPending && <Skeleton height={120} radius={8} />}
      {target && plan.data && <MovePlan plan={plan.data} />}
      {running > 0 && <InlineNotice kind="warn">{words.running(running)}</InlineNotice>}
      {target && target.status !== 'CONNECTED' && <InlineNotice kind="warn">{words.notConnected}</InlineNotice>}
      <p>{words.after}</p>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button loading={busy} disabled={!plan.data || running > 0} onClick={() => void move()}>
          {words.move}
        </Button>
      </Group>
    </div>
  )
}

function MovePlan({ plan }: { plan: LineMovePlan }) {
  const words = useTexts(lineMoveTexts)
  const { tickets, waiting, schedules, queues, users, groups, doubled } = plan
  const campaigns = plan.draftCampaigns + plan.scheduledCampaigns
  const moves = [
    words.tickets(tickets),
    waiting > 0 && words.waiting(waiting),
    campaigns > 0 && words.campaigns(campaigns),
    schedules > 0 && words.schedules(schedules),
    queues > 0 && words.queues(queues),
    users > 0 && words.users(users),
  ]
  const stays = [groups > 0 && words.groups(groups), doubled > 0 && words.doubled(doubled), words.history, words.token]
  return (
    <>
      <PlanPart title={words.moves} items={moves} />
      <PlanPart title={words.stays} items={stays} />
    </>
  )
}

function PlanPart({ title, items }: { title: string; items: (string | false)[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>{items.map((one) => one && <li key={one}>{one}</li>)}</ul>
    </section>
  )
}
