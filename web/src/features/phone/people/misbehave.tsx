import { Button, NativeSelect } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { type Misbehaviour, sandboxApi } from '@recado/contract/sandbox'
import { IconChevronRight, IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { put } from '../../../lib/told.ts'
import { Count } from '../../../ui/count.tsx'
import page from '../phone-page.module.css'
import { texts } from '../texts.ts'
import { useBehaviour } from '../use-sandbox.ts'
import classes from './people.module.css'

type Fault = keyof Misbehaviour
type Words = (typeof texts)['es']

const shares = [0, 0.1, 0.25, 0.5, 1]
const delays = [0, 1000, 3000, 10_000, 30_000]
const refusals = ['', 'network', 'no-whatsapp', 'blocked']

/** What each fault can be set to, and how that is called. */
const choicesOf: Record<Fault, (words: Words) => [string, string][]> = {
  drop: sharesIn,
  duplicate: sharesIn,
  reorder: sharesIn,
  delayMs: (words) => delays.map((ms) => [String(ms), ms === 0 ? words.off : words.seconds(ms / 1000)]),
  failSends: (words) => refusals.map((reason) => [reason, words.fail[reason] ?? reason]),
}
function sharesIn(words: Words): [string, string][] {
  return shares.map((share) => [String(share), share === 0 ? words.off : words.share(share * 100)])
}
const faults = Object.keys(choicesOf) as Fault[]

/** The line can be told to behave as badly as real ones do. It stays so until it is told otherwise. Folded: most people come to see it behave. */
export function Misbehave({ line }: { line: Connection }) {
  const words = useTexts(texts)
  const { data } = useBehaviour(line.id)
  const id = useId()
  const [open, setOpen] = useState(false)
  const on = faults.filter((fault) => data?.[fault]).length
  return (
    <div className={page.section}>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight size={14} stroke={2} aria-hidden="true" />
        {words.simulate}
        {on > 0 && (
          <span className={classes.faultsOn}>
            <Count value={on} kind="warn" />
          </span>
        )}
      </button>
      <div id={id} hidden={!open} className={classes.open}>
        {data && <Faults line={line} behaviour={data} />}
      </div>
    </div>
  )
}

function Faults({ line, behaviour }: { line: Connection; behaviour: Misbehaviour }) {
  const words = useTexts(texts)
  const set = useBehaving(line)
  const cut = () =>
    call(sandboxApi.drop, { params: { whatsappId: line.id } }).then(
      () => toast.info(words.cutDone, words.cutHelp),
      toast.error,
    )
  return (
    <div className={classes.faults}>
      {faults.map((fault) => (
        <FaultChoice
          key={fault}
          label={words.behaviour[fault].label}
          help={words.behaviour[fault].help}
          choices={choicesOf[fault](words)}
          value={String(behaviour[fault])}
          onChange={(value) => void set({ ...behaviour, [fault]: fault === 'failSends' ? value : Number(value) })}
        />
      ))}
      <div className={classes.cut}>
        <Button
          variant="default"
          size="xs"
          fullWidth
          disabled={line.status !== 'CONNECTED'}
          leftSection={<IconPlugConnectedX size={15} stroke={1.75} />}
          onClick={() => void cut()}
        >
          {words.cut}
        </Button>
        <p className={classes.reason}>{words.cutHelp}</p>
      </div>
    </div>
  )
}

type ChoiceProps = {
  label: string
  help: string
  choices: [string, string][]
  value: string
  onChange: (value: string) => void
}
function FaultChoice({ label, help, choices, value, onChange }: ChoiceProps) {
  const id = useId()
  // A script may have set a value of its own.
  const known = choices.some(([one]) => one === value)
  const all = known ? choices : [...choices, [value, value] as [string, string]]
  return (
    <div className={classes.fault}>
      <label htmlFor={id} className={classes.faultName}>
        {label}
      </label>
      <NativeSelect
        id={id}
        size="xs"
        aria-describedby={`${id}-help`}
        data={all.map(([one, name]) => ({ value: one, label: name }))}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span id={`${id}-help`} className={classes.faultHelp}>
        {help}
      </span>
    </div>
  )
}

function useBehaving(line: Connection): (behaviour: Misbehaviour) => Promise<void> {
  const client = useQueryClient()
  const key = ['sandbox', line.id, 'behaviour']
  return async (behaviour) => {
    const before = client.getQueryData<Misbehaviour>(key)
    put(client, key, behaviour)
    try {
      await call(sandboxApi.misbehave, { params: { whatsappId: line.id }, body: behaviour })
    } catch (error) {
      put(client, key, before)
      toast.error(error)
    }
  }
}
