import { Button, FileButton, Menu, Modal, MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import { type MacroStep, maxMacroSteps } from '@recado/contract/macros/macro-steps'
import { type Macro, macrosApi } from '@recado/contract/macros/macros'
import { viewAudiences } from '@recado/contract/views/ticket-views'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { IconArrowDown, IconArrowUp, IconPaperclip, IconPlus, IconTrash, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callApi, uploadFiles } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { stepIcons } from '../../../parts/macros/describe-step.ts'
import { macrosKey } from '../../../parts/macros/use-macros.ts'
import { MessageField } from '../../../parts/message-field.tsx'
import { useStartableFlows } from '../../../parts/ticket/use-startable-flows.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import classes from './macro-editor.module.css'
import { MacroProof } from './macro-proof.tsx'
import { emptyStep, isWholeStep, StepEditor } from './step-editor.tsx'
import { macroEditorTexts } from './texts.ts'

type Draft = Pick<Macro, 'name' | 'shortcode' | 'message' | 'audience' | 'queueIds' | 'digit'>
type KeyedStep = { key: number; step: MacroStep }
/** A chosen file, the stored one, or none. */
type DraftFile = { name: string; file: File | null } | null

const emptyDraft: Draft = { name: '', shortcode: '', message: '', audience: 'me', queueIds: [], digit: null }
const stepKinds = ['tags', 'note', 'assign', 'queue', 'priority', 'snooze', 'resolve', 'flow'] as const

/** Creates or changes a macro: steps as sentences, and beside them what they would do with a real ticket. */
export default function MacroEditor({ macro, onClose }: { macro: Macro | null; onClose: () => void }) {
  const words = useTexts(macroEditorTexts)
  const phone = useIsPhone()
  const client = useQueryClient()
  const [draft, setDraft] = useState<Draft>(() => macro ?? emptyDraft)
  const [steps, setSteps] = useState<KeyedStep[]>(() => (macro?.steps ?? []).map((step, key) => ({ key, step })))
  const [file, setFile] = useState<DraftFile>(() => (macro?.mediaName ? { name: macro.mediaName, file: null } : null))
  const [isSaving, setSaving] = useState(false)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const plain = steps.map(({ step }) => step)
  const isWhole = plain.every(isWholeStep)
  const isValid =
    isWhole &&
    draft.name.trim() !== '' &&
    draft.shortcode.replace(/^\/+/, '').trim() !== '' &&
    (draft.audience !== 'queues' || draft.queueIds.length > 0) &&
    (draft.message.trim() !== '' || file !== null || steps.length > 0)
  const run = async (act: () => Promise<unknown>, told: string) => {
    setSaving(true)
    try {
      await act()
      toast.ok(told)
      onClose()
    } catch (error) {
      toast.error(error)
      setSaving(false)
    } finally {
      await client.invalidateQueries({ queryKey: macrosKey })
    }
  }
  const save = () =>
    run(async () => {
      const { name, shortcode, message, audience, queueIds, digit } = draft
      const body = {
        ...{ name: name.trim(), shortcode: shortcode.replace(/^\/+/, '').trim(), message, audience, digit },
        ...{ queueIds: audience === 'queues' ? queueIds : [], steps: plain },
      }
      const { id } = macro
        ? await callApi(macrosApi.update, { params: { id: macro.id }, body })
        : await callApi(macrosApi.create, { body })
      if (file?.file) await uploadFiles(macrosApi.upload, { params: { id }, fields: {}, files: [file.file] })
      else if (!file && macro?.mediaName) await callApi(macrosApi.detach, { params: { id } })
    }, words.saved)
  const remove = async ({ id, name }: Macro) => {
    const isSure = await openConfirm({
      title: words.removeAsk(name),
      consequence: words.removeLine,
      verb: words.remove,
    })
    if (isSure) await run(() => callApi(macrosApi.remove, { params: { id } }), words.removed)
  }
  const isReadOnly = macro !== null && !macro.editable
  return (
    <Modal
      opened
      onClose={onClose}
      title={macro?.name ?? words.create}
      size={1000}
      fullScreen={phone}
      padding={0}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <div className={classes.columns}>
        <fieldset className={classes.form} disabled={isReadOnly}>
          <HeadFields draft={draft} onChange={change} />
          <MessageField
            label={words.write}
            help={words.writeHelp}
            limit={4096}
            rows={3}
            value={draft.message}
            onChange={(message) => change({ message })}
          />
          <AttachedFile file={file} onChange={setFile} />
          <StepLines steps={steps} onChange={setSteps} />
        </fieldset>
        <MacroProof message={draft.message} fileName={file?.name ?? null} steps={isWhole ? plain : null} />
      </div>
      <div className={classes.foot}>
        {macro?.editable && (
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} stroke={1.75} />}
            onClick={() => void remove(macro)}
          >
            {words.remove}
          </Button>
        )}
        <span className={classes.rest} />
        <Button variant="default" onClick={onClose}>
          {isReadOnly ? words.close : words.cancel}
        </Button>
        {!isReadOnly && (
          <Button disabled={!isValid} loading={isSaving} onClick={() => void save()}>
            {words.save}
          </Button>
        )}
      </div>
    </Modal>
  )
}

/** Supervisors share with their queues, admins with everybody. */
function HeadFields({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const words = useTexts(macroEditorTexts)
  const { user } = useSession()
  const mayShare = user && canLeadQueues(user)
  const offered = viewAudiences.filter((audience) => audience !== 'all' || (user && canSeeAllTickets(user)))
  return (
    <>
      <div className={classes.head}>
        <TextInput
          label={words.name}
          withAsterisk
          data-autofocus
          maxLength={60}
          value={draft.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label={words.shortcode}
          withAsterisk
          leftSection="/"
          maxLength={50}
          value={draft.shortcode}
          onChange={(event) => onChange({ shortcode: event.currentTarget.value })}
        />
        <NativeSelect
          label={words.digit}
          value={String(draft.digit ?? '')}
          data={[
            { value: '', label: words.noDigit },
            ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({ value: String(n), label: `Alt Shift ${n}` })),
          ]}
          onChange={(event) => onChange({ digit: Number(event.currentTarget.value) || null })}
        />
      </div>
      {mayShare && (
        <div className={classes.pair}>
          <NativeSelect
            label={words.audience}
            value={draft.audience}
            data={offered.map((value) => ({ value, label: words.audiences[value] }))}
            onChange={(event) => onChange({ audience: event.currentTarget.value as Draft['audience'] })}
          />
          {draft.audience === 'queues' && (
            <MultiSelect
              label={words.queues}
              data={user.queues.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={draft.queueIds.map(String)}
              onChange={(chosen) => onChange({ queueIds: chosen.map(Number) })}
            />
          )}
        </div>
      )}
    </>
  )
}

function AttachedFile({ file, onChange }: { file: DraftFile; onChange: (file: DraftFile) => void }) {
  const words = useTexts(macroEditorTexts)
  return (
    <div className={classes.file}>
      <FileButton onChange={(chosen) => chosen && onChange({ name: chosen.name, file: chosen })}>
        {(props) => (
          <Button
            {...props}
            size="compact-sm"
            variant="default"
            leftSection={<IconPaperclip size={14} stroke={1.75} />}
          >
            {file ? words.attached(file.name) : words.attach}
          </Button>
        )}
      </FileButton>
      {file && (
        <button type="button" className={classes.icon} aria-label={words.detach} onClick={() => onChange(null)}>
          <IconX size={16} stroke={1.75} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

function StepLines({ steps, onChange }: { steps: KeyedStep[]; onChange: (steps: KeyedStep[]) => void }) {
  const words = useTexts(macroEditorTexts)
  const nextKey = useRef(steps.length)
  const { data: startable } = useStartableFlows()
  const offered = stepKinds.filter((kind) => kind !== 'flow' || (startable?.length ?? 0) > 0)
  const move = (from: number, by: number) => {
    const moved = steps[from]
    if (moved) onChange(steps.toSpliced(from, 1).toSpliced(from + by, 0, moved))
  }
  return (
    <div>
      <div className={classes.label}>{words.steps}</div>
      <ol className={classes.steps}>
        {steps.map(({ key, step }, i) => {
          const Icon = stepIcons[step.kind]
          const name = words.kindNames[step.kind]
          return (
            <li key={key} className={classes.step} aria-label={name}>
              <span className={classes.tile}>
                <Icon size={16} stroke={1.75} aria-hidden="true" />
              </span>
              <div className={classes.sentence}>
                <StepEditor step={step} onChange={(next) => onChange(steps.with(i, { key, step: next }))} />
              </div>
              <span className={classes.buttons}>
                <button
                  type="button"
                  className={classes.icon}
                  aria-label={words.up(name)}
                  disabled={i === 0}
                  onClick={() => move(i, -1)}
                >
                  <IconArrowUp size={16} stroke={1.75} aria-hidden="true" />
                </button>
                <button
                  type="button"
                  className={classes.icon}
                  aria-label={words.down(name)}
                  disabled={i === steps.length - 1}
                  onClick={() => move(i, 1)}
                >
                  <IconArrowDown size={16} stroke={1.75} aria-hidden="true" />
                </button>
                <button
                  type="button"
                  className={classes.icon}
                  aria-label={words.removeStep(name)}
                  onClick={() => onChange(steps.toSpliced(i, 1))}
                >
                  <IconX size={16} stroke={1.75} aria-hidden="true" />
                </button>
              </span>
            </li>
          )
        })}
      </ol>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={steps.length >= maxMacroSteps}
            leftSection={<IconPlus size={14} stroke={2} />}
          >
            {words.addStep}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map((kind) => {
            const Icon = stepIcons[kind]
            return (
              <Menu.Item
                key={kind}
                leftSection={<Icon size={16} stroke={1.75} />}
                onClick={() => onChange([...steps, { key: nextKey.current++, step: emptyStep(kind) }])}
              >
                {words.kindNames[kind]}
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
