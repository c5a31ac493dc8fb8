import { Button, Modal, MultiSelect, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import type { TicketConditionGroup, TicketConditions } from '@recado/contract/views/ticket-conditions'
import { type TicketView, ticketViewsApi, viewAudiences, viewOrders } from '@recado/contract/views/ticket-views'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { IconTrash } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { emptyCondition, filterConditions } from '../../../parts/conditions/condition-draft.ts'
import { ConditionGroupEditor } from '../../../parts/conditions/condition-group-editor.tsx'
import { ConditionLine } from '../../../parts/conditions/condition-line.tsx'
import { showsAllOpen, useTicketView } from '../../../parts/ticket/ticket-view.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { draftFromList, isWholeDraft } from './condition-draft.ts'
import { viewEditorTexts } from './editor-texts.ts'
import { useRereadViews } from './use-views.ts'
import classes from './view-editor.module.css'
import { ViewPreview } from './view-preview.tsx'

type Draft = Pick<TicketView, 'name' | 'order' | 'audience' | 'queueIds'> & { conditions: TicketConditionGroup }

/** Creates or changes a saved view. The right side shows the tickets that the conditions select. */
export function ViewEditor({ view, onClose }: { view: TicketView | null; onClose: () => void }) {
  const words = useTexts(viewEditorTexts)
  const { user } = useSession()
  const [list, changeList] = useTicketView()
  const [draft, setDraft] = useState<Draft>(
    () =>
      view ?? {
        name: '',
        order: 'newest',
        audience: 'me',
        queueIds: [],
        conditions: draftFromList(list, user ? showsAllOpen(list, user) : false),
      },
  )
  const [isSaving, setSaving] = useState(false)
  const phone = useIsPhone()
  const reread = useRereadViews()
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  // The groups are nested no deeper than the contract's type states, because the button for a group is absent there.
  const conditions = filterConditions(draft.conditions) as TicketConditions
  const isValid =
    draft.name.trim() !== '' && isWholeDraft(conditions) && (draft.audience !== 'queues' || draft.queueIds.length > 0)
  const run = async (act: () => Promise<unknown>, told: string) => {
    setSaving(true)
    try {
      await act()
      await reread()
      toast.ok(told)
      onClose()
    } catch (error) {
      toast.error(error)
      setSaving(false)
    }
  }
  const save = () =>
    run(async () => {
      const body = { ...draft, name: draft.name.trim(), conditions }
      const saved = view
        ? await callApi(ticketViewsApi.update, { params: { id: view.id }, body })
        : await callApi(ticketViewsApi.create, { body })
      changeList({ viewId: saved.id })
    }, words.saved)
  const remove = async ({ id, name }: TicketView) => {
    const isSure = await openConfirm({
      title: words.removeAsk(name),
      consequence: words.removeLine,
      verb: words.removeView,
    })
    if (!isSure) return
    await run(async () => {
      await callApi(ticketViewsApi.remove, { params: { id } })
      changeList({ viewId: null })
    }, words.removed)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={view?.name ?? words.newView}
      size={960}
      fullScreen={phone}
      padding={0}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <div className={classes.columns}>
        <div className={classes.form}>
          <div className={classes.pair}>
            <TextInput
              label={words.name}
              withAsterisk
              maxLength={60}
              data-autofocus
              value={draft.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            <NativeSelect
              label={words.order}
              value={draft.order}
              data={viewOrders.map((order) => ({ value: order, label: words.orders[order] }))}
              onChange={(event) => change({ order: event.currentTarget.value as Draft['order'] })}
            />
          </div>
          <ConditionGroupEditor
            group={draft.conditions}
            heading={words.shows}
            empty={emptyCondition('priority')}
            renderLine={(condition, onChange) => <ConditionLine condition={condition} onChange={onChange} />}
            onChange={(conditions) => change({ conditions })}
          />
          <AudienceFields draft={draft} onChange={change} />
        </div>
        <ViewPreview conditions={isWholeDraft(conditions) ? conditions : null} order={draft.order} />
      </div>
      <div className={classes.foot}>
        {view && (
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} stroke={1.75} />}
            onClick={() => void remove(view)}
          >
            {words.removeView}
          </Button>
        )}
        <span className={classes.rights}>{words.noRights}</span>
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button disabled={!isValid} loading={isSaving} onClick={() => void save()}>
          {words.save}
        </Button>
      </div>
    </Modal>
  )
}

/** Supervisors share with their queues, admins with everybody. */
function AudienceFields({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const words = useTexts(viewEditorTexts)
  const { user } = useSession()
  const label = useId()
  if (!user || !canLeadQueues(user)) return null
  const offered = viewAudiences.filter((audience) => audience !== 'all' || canSeeAllTickets(user))
  return (
    <div>
      <div id={label} className={classes.sentence}>
        {words.audience}
      </div>
      <SegmentedControl
        mt={6}
        aria-labelledby={label}
        value={draft.audience}
        data={offered.map((audience) => ({ value: audience, label: words.audiences[audience] ?? audience }))}
        onChange={(audience) => onChange({ audience: audience as Draft['audience'] })}
      />
      {draft.audience === 'queues' && (
        <MultiSelect
          mt={8}
          label={words.queues}
          data={user.queues.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={draft.queueIds.map(String)}
          onChange={(chosen) => onChange({ queueIds: chosen.map(Number) })}
        />
      )}
    </div>
  )
}
