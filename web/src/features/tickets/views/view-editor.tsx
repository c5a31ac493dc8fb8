import { Button, Modal, MultiSelect, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import {
  isConditionGroup,
  listConditions,
  maxConditionLevels,
  maxConditions,
  type TicketConditionGroup,
  type TicketConditions,
} from '@recado/contract/views/ticket-conditions'
import { type TicketView, ticketViewsApi, viewAudiences, viewOrders } from '@recado/contract/views/ticket-views'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { IconBrackets, IconPlus, IconTrash, IconX } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { showsAllOpen, useTicketView } from '../../../parts/ticket/ticket-view.ts'
import { Token } from '../../../parts/token/token.tsx'
import { openConfirm } from '../../../ui/confirm.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { draftFromList, emptyCondition, isWholeDraft, replaceAt, withoutEmptyGroups } from './condition-draft.ts'
import { ConditionLine } from './condition-line.tsx'
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
  const conditions = withoutEmptyGroups(draft.conditions) as TicketConditions
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
          <GroupEditor
            group={draft.conditions}
            level={1}
            isFull={listConditions(draft.conditions).length >= maxConditions}
            onChange={(next) => change({ conditions: next })}
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

type GroupProps = {
  group: TicketConditionGroup
  level: number
  isFull: boolean
  onChange: (group: TicketConditionGroup) => void
}

function GroupEditor({ group, level, isFull, onChange }: GroupProps) {
  const words = useTexts(viewEditorTexts)
  const [before, after] = level === 1 ? words.shows : words.group
  const add = (node: TicketConditionGroup['of'][number]) => onChange({ ...group, of: [...group.of, node] })
  return (
    <>
      <div className={classes.sentence}>
        {before}
        <Token
          label={words.match}
          choices={[
            { value: 'all', name: words.all },
            { value: 'any', name: words.any },
          ]}
          selected={[group.match]}
          onChange={([match]) => onChange({ ...group, match: match === 'any' ? 'any' : 'all' })}
        />
        {after}
      </div>
      <div className={classes.group}>
        {group.of.map((node, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id and are not reordered.
          <div key={i} className={classes.row}>
            <span className={classes.word}>{i > 0 && (group.match === 'all' ? words.and : words.or)}</span>
            <div className={isConditionGroup(node) ? undefined : classes.line}>
              {isConditionGroup(node) ? (
                <GroupEditor
                  group={node}
                  level={level + 1}
                  isFull={isFull}
                  onChange={(next) => onChange(replaceAt(group, i, next))}
                />
              ) : (
                <ConditionLine condition={node} onChange={(next) => onChange(replaceAt(group, i, next))} />
              )}
            </div>
            <button
              type="button"
              className={classes.remove}
              aria-label={isConditionGroup(node) ? words.removeGroup : words.remove}
              onClick={() => onChange(replaceAt(group, i, null))}
            >
              <IconX size={16} stroke={1.75} aria-hidden="true" />
            </button>
          </div>
        ))}
        <div className={classes.adding}>
          <Button
            size="compact-sm"
            variant="default"
            disabled={isFull}
            leftSection={<IconPlus size={14} stroke={2} />}
            onClick={() => add(emptyCondition('priority'))}
          >
            {words.addCondition}
          </Button>
          {level < maxConditionLevels && (
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={isFull}
              leftSection={<IconBrackets size={14} stroke={2} />}
              onClick={() => add({ match: group.match === 'all' ? 'any' : 'all', of: [emptyCondition('priority')] })}
            >
              {words.addGroup}
            </Button>
          )}
        </div>
      </div>
    </>
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
