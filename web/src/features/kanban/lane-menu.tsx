import { Button, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { boardApi, type Lane, maxLaneCarryHours } from '@recado/contract/board/board'
import type { EndpointInput } from '@recado/contract/endpoint'
import {
  IconArrowLeft,
  IconArrowRight,
  IconClockShare,
  IconLayoutSidebarLeftCollapse,
  IconMessageForward,
  IconTrash,
} from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { MessageField } from '../../parts/message-field.tsx'
import { nameVariables } from '../../parts/variable-names.ts'
import { mainColors } from '../../records/fields/color-palette.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { toSelectOptions } from '../../ui/select-options.ts'
import classes from './kanban.module.css'
import { laneMenuTexts } from './lane-menu-texts.ts'
import { kanbanTexts } from './texts.ts'

export const laneColors = mainColors.filter((_, i) => ![4, 5, 7, 11, 13].includes(i))

type Props = {
  /** The lane; null for the lane without a tag, which can only be folded. */
  lane: Lane | null
  lanes: Lane[]
  onFold: () => void
  onStep: (by: -1 | 1) => void
  onChanged: () => void
  onClose: () => void
}
type LaneUpdateBody = NonNullable<EndpointInput<typeof boardApi.update>['body']>

/** The actions of a lane, edited in place. */
export function LaneMenu({ lane, lanes, onFold, onStep, onChanged, onClose }: Props) {
  const menuWords = useTexts(laneMenuTexts)
  const may = useCan()('tags-page:kanban')
  const at = lanes.findIndex((one) => one.id === lane?.id)
  const fold = (
    <MenuRow icon={<IconLayoutSidebarLeftCollapse {...icon} />} onClick={onFold}>
      {menuWords.fold}
    </MenuRow>
  )
  if (!lane || !may) return <div className={classes.menu}>{fold}</div>
  const save = async (body: LaneUpdateBody): Promise<boolean> => {
    try {
      await callApi(boardApi.update, { params: { id: lane.id }, body })
      onChanged()
      toast.ok(menuWords.saved, lane.name)
      return true
    } catch (error) {
      toast.error(error)
      return false
    }
  }
  const remove = async () => {
    onClose()
    const sure = await openConfirm({
      title: menuWords.removeAsk(lane.name),
      consequence: menuWords.removeLine,
      verb: menuWords.remove,
    })
    if (!sure) return
    try {
      await callApi(boardApi.remove, { params: { id: lane.id } })
      onChanged()
      toast.ok(menuWords.removed, lane.name)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <div className={classes.menu}>
      <LaneName name={lane.name} onSave={(name) => save({ name })} />
      <LaneColorPicker value={lane.color} onChange={(color) => void save({ color })} />
      <hr className={classes.rule} />
      <MenuRow icon={<IconArrowLeft {...icon} />} keys="Alt ←" disabled={at <= 0} onClick={() => onStep(-1)}>
        {menuWords.left1}
      </MenuRow>
      <MenuRow
        icon={<IconArrowRight {...icon} />}
        keys="Alt →"
        disabled={at >= lanes.length - 1}
        onClick={() => onStep(1)}
      >
        {menuWords.right1}
      </MenuRow>
      {fold}
      <hr className={classes.rule} />
      <LaneMessage lane={lane} save={save} />
      <LaneAutoMove lane={lane} lanes={lanes} save={save} />
      <hr className={classes.rule} />
      <MenuRow icon={<IconTrash {...icon} />} isDanger onClick={() => void remove()}>
        {menuWords.remove}
      </MenuRow>
    </div>
  )
}

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const

type RowProps = {
  icon: ReactNode
  children: ReactNode
  keys?: string
  disabled?: boolean
  isDanger?: boolean
  onClick: () => void
}
const MenuRow = ({ icon, children, keys, disabled, isDanger, onClick }: RowProps) => (
  <button
    type="button"
    className={classes.item}
    data-danger={isDanger || undefined}
    disabled={disabled}
    onClick={onClick}
  >
    {icon}
    <span className={classes.itemWords}>{children}</span>
    {keys && <kbd>{keys}</kbd>}
  </button>
)

function LaneName({ name, onSave }: { name: string; onSave: (name: string) => Promise<boolean> }) {
  const words = useTexts(kanbanTexts)
  const [typed, setTyped] = useState(name)
  // Enter saves the name, and the blur that follows would save it again before the lane has its new name.
  const kept = useRef(name)
  const short = typed.trim().length < 3
  const done = () => {
    if (short || typed.trim() === kept.current) return
    kept.current = typed.trim()
    void onSave(typed.trim()).then((saved) => {
      if (!saved) kept.current = name
    })
  }
  return (
    <TextInput
      aria-label={words.name}
      value={typed}
      maxLength={50}
      error={short ? words.short : undefined}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  )
}

export function LaneColorPicker({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  const menuWords = useTexts(laneMenuTexts)
  return (
    <fieldset className={classes.colors}>
      <legend className="rc-sr">{menuWords.color}</legend>
      {laneColors.map((color) => (
        <label key={color} className={classes.color} style={{ background: color }}>
          <input
            type="radio"
            className="rc-sr"
            name="lane-color"
            aria-label={menuWords.colorNamed(color)}
            checked={color === value.toLowerCase()}
            onChange={() => onChange(color)}
          />
        </label>
      ))}
    </fieldset>
  )
}

type ActProps = {
  icon: ReactNode
  title: string
  line: string
  isOn: boolean
  isEditing: boolean
  onSwitch: (on: boolean) => void
  onEdit: () => void
  children: ReactNode
}
/** An automation of a lane: its switch, its condition as text, and its editor. */
function LaneAutomation({ icon, title, line, isOn: on, isEditing, onSwitch, onEdit, children }: ActProps) {
  const menuWords = useTexts(laneMenuTexts)
  const toggle = useRestoreFocus(isEditing)
  return (
    <div className={classes.act}>
      {icon}
      <span className={classes.itemWords}>
        <b>{title}</b>
        <span className={classes.actLine}>{line}</span>
        {on && !isEditing && (
          <button type="button" className={classes.edit} aria-label={`${menuWords.edit}: ${title}`} onClick={onEdit}>
            {menuWords.edit}
          </button>
        )}
      </span>
      <Switch
        ref={toggle}
        aria-label={title}
        checked={on || isEditing}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      {isEditing && <div className={classes.actForm}>{children}</div>}
    </div>
  )
}

/**
 * Returns the element that gets the focus when a form closes with the focus in it. With the focus outside of the menu,
 * Escape would not close the menu.
 */
function useRestoreFocus(isEditing: boolean) {
  const heir = useRef<HTMLInputElement>(null)
  const before = useRef(isEditing)
  useLayoutEffect(() => {
    if (before.current && !isEditing && document.activeElement === document.body) heir.current?.focus()
    before.current = isEditing
  }, [isEditing])
  return heir
}

type LaneAutomationProps = { lane: Lane; save: (body: LaneUpdateBody) => Promise<boolean> }

function LaneMessage({ lane, save }: LaneAutomationProps) {
  const menuWords = useTexts(laneMenuTexts)
  const { on, text } = lane.say
  const [draft, setDraft] = useState<string | null>(null)
  const saveDraft = async () => {
    if (await save({ say: { on: true, text: draft ?? '' } })) setDraft(null)
  }
  const flip = (next: boolean) => {
    if (next) return setDraft(text)
    setDraft(null)
    if (on) void save({ say: { on: false, text } })
  }
  return (
    <LaneAutomation
      icon={<IconMessageForward {...icon} />}
      title={menuWords.sayTitle}
      line={on ? menuWords.sayOn(nameVariables(text)) : menuWords.sayOff}
      isOn={on}
      isEditing={draft !== null}
      onSwitch={flip}
      onEdit={() => setDraft(text)}
    >
      <MessageField
        label={menuWords.sayLabel}
        help={menuWords.sayHelp}
        limit={4000}
        rows={2}
        extraVariables={['user', 'queue']}
        value={draft ?? ''}
        onChange={setDraft}
      />
      <Button size="xs" disabled={!draft?.trim()} onClick={() => void saveDraft()}>
        {menuWords.save}
      </Button>
    </LaneAutomation>
  )
}

function LaneAutoMove({ lane, lanes, save }: LaneAutomationProps & { lanes: Lane[] }) {
  const menuWords = useTexts(laneMenuTexts)
  const { on, hours, to } = lane.carry
  const [draft, setDraft] = useState<{ hours: number; to: number | null } | null>(null)
  const target = lanes.find((one) => one.id === to)
  const saveDraft = async () => {
    if (draft && (await save({ carry: { on: true, ...draft } }))) setDraft(null)
  }
  const flip = (next: boolean) => {
    if (next) return setDraft({ hours, to })
    setDraft(null)
    if (on) void save({ carry: { on: false, hours, to } })
  }
  return (
    <LaneAutomation
      icon={<IconClockShare {...icon} />}
      title={menuWords.carryTitle(draft?.hours ?? hours)}
      line={on && target ? menuWords.carryOn(target.name) : menuWords.carryOff}
      isOn={on}
      isEditing={draft !== null}
      onSwitch={flip}
      onEdit={() => setDraft({ hours, to })}
    >
      <NumberInput
        label={menuWords.carryHours}
        min={1}
        max={maxLaneCarryHours}
        clampBehavior="strict"
        allowDecimal={false}
        value={draft?.hours ?? hours}
        onChange={(value) => draft && setDraft({ ...draft, hours: Number(value) || 1 })}
      />
      <Select
        label={menuWords.carryTo}
        data={toSelectOptions(lanes.filter((one) => one.id !== lane.id))}
        value={draft?.to ? String(draft.to) : null}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => draft && setDraft({ ...draft, to: value === null ? null : Number(value) })}
      />
      <Button size="xs" disabled={!draft?.to} onClick={() => void saveDraft()}>
        {menuWords.save}
      </Button>
    </LaneAutomation>
  )
}
