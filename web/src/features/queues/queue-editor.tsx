import type { Connection } from '@recado/contract/connections'
import { checkMenu } from '@recado/contract/menu/menu-check'
import type { QueueOption } from '@recado/contract/queue-options'
import { type Queue, QueueWrite, queuesApi } from '@recado/contract/queues'
import type { User } from '@recado/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { toClosingFormWrite } from './closing/closing-draft.ts'
import { menuTexts } from './menu/menu-texts.ts'
import { toDraftOptions } from './menu/menu-tree.ts'
import { createKnownOptionIds, saveMenu } from './menu/save-menu.ts'
import { MenuPreviewPane } from './preview/menu-preview-pane.tsx'
import { menuPreviewTexts } from './preview/menu-preview-texts.ts'
import { useMenuPreview } from './preview/use-menu-preview.ts'
import { useMenuTests } from './preview/use-menu-tests.ts'
import { queueFormTexts } from './queue-form-texts.ts'
import { findQueueProblems, type QueueFormValues, toQueueFormValues } from './queue-form-values.ts'
import { queueMemberTexts } from './queue-member-texts.ts'
import { listChangedCapacities, toQueueMembers, type WaitingWithoutQueue } from './queue-members.ts'
import { NextAgentsPane } from './routing/next-agents-pane.tsx'
import { texts } from './texts.ts'
import { routingTab, useQueueFields } from './use-queue-fields.tsx'

type Props = FormSlot<Queue> & {
  queues: Queue[]
  storedOptions: QueueOption[]
  lines: Connection[]
  users: User[]
  waiting: WaitingWithoutQueue
}

/** The form of a queue: its fields, its menu as a tree, and the phone preview (design d-queues-form). */
export function QueueEditor({ queues, storedOptions, lines, users, waiting, ...slot }: Props) {
  const { row } = slot
  const id = row?.id ?? 0
  const words = useTexts(texts)
  const { tabs, savedLine } = useTexts(queueFormTexts)
  const notes = { ...useTexts(menuTexts), ...useTexts(menuPreviewTexts) }
  const { defaultLineGreeting } = useTexts(queueMemberTexts)
  const [initial] = useState(() => ({
    ...toQueueFormValues(row, storedOptions, queues),
    ...toQueueMembers(row, lines, users),
    lineGreeting: defaultLineGreeting,
  }))
  const stage = useMenuPreview(id, queues, initial.lineIds)
  const tests = useMenuTests(row, stage)
  const fields = useQueueFields({ id, queues, preview: stage, tests, lines, users, waiting })
  const save = useSaveQueueParts(storedOptions)
  return (
    <RecordForm<QueueFormValues, Queue>
      {...slot}
      title={row?.name ?? words.words.create}
      {...(row && { subtitle: words.numbered(row.id), mark: <ColorDot color={row.color} size={14} /> })}
      words={words.words}
      savedDetail={savedLine}
      schema={QueueWrite}
      initial={initial}
      tabs={(values) => {
        const found = checkMenu(
          toDraftOptions(values.options),
          queues.map((queue) => queue.id),
        ).length
        const failing = tests.listResults(values).filter((test) => !test.passes).length
        const note = { menu: found > 0 && notes.found(found), tests: failing > 0 && notes.failing(failing) }
        return Object.entries(tabs).map(([key, label]) => ({
          key,
          label,
          note: note[key as keyof typeof note] || undefined,
        }))
      }}
      fields={fields}
      check={(values) => findQueueProblems(values, queues, id)}
      fieldByErrorCode={{
        ERR_QUEUE_COLOR_ALREADY_EXISTS: 'color',
        ERR_QUEUE_NAME_ALREADY_EXISTS: 'name',
        ERR_WAPP_GREETING_REQUIRED: 'lineGreeting',
      }}
      write={(
        { options: _, tests: __, seenBy: ___, lineIds, userIds, agentCapacities, closing, ...values },
        before,
      ) => {
        const members = { whatsappIds: lineIds.map(Number), userIds: userIds.map(Number) }
        const changed = listChangedCapacities({ agentCapacities, userIds }, users)
        const body = { ...values, ...members, closing: toClosingFormWrite(closing), capacities: changed }
        return writeRecord(queuesApi, body, before)
      }}
      afterSave={save}
      renderAside={({ form, tab }) =>
        tab === routingTab ? (
          <NextAgentsPane id={id} form={form} />
        ) : (
          <MenuPreviewPane id={id} form={form} preview={stage} />
        )
      }
    />
  )
}

/** Saves the parts that need an existing queue: its menu and the test conversations. */
function useSaveQueueParts(storedOptions: QueueOption[]) {
  const client = useQueryClient()
  const [ids] = useState(() => createKnownOptionIds(storedOptions))
  const [kept] = useState(() => new Set<string>())
  return async (queue: Queue, { options, tests }: QueueFormValues): Promise<Queue> => {
    await saveMenu(queue.id, options, ids)
    for (const { key, name, whatsappId, steps } of tests) {
      if (kept.has(key)) continue
      await callApi(queuesApi.saveTest, { params: { queueId: queue.id }, body: { name, whatsappId, steps } })
      kept.add(key)
    }
    for (const queryKey of [['queue-options'], ['menu-tests']])
      void client.invalidateQueries({ queryKey, refetchType: 'none' })
    // The row that was saved has the menu of before.
    return callApi(queuesApi.show, { params: { id: queue.id } })
  }
}
