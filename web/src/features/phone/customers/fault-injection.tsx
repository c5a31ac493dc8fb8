import { Button, NativeSelect } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { type SandboxFaults, sandboxApi } from '@recado/contract/sandbox'
import { IconChevronRight, IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { setCachedQuery } from '../../../lib/query-cache.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import page from '../phone-page.module.css'
import { texts } from '../texts.ts'
import { useSandboxFaults } from '../use-sandbox.ts'
import classes from './customers.module.css'

type FaultKind = keyof SandboxFaults
type PhoneTexts = (typeof texts)['es']

const faultShares = [0, 0.1, 0.25, 0.5, 1]
const delays = [0, 1000, 3000, 10_000, 30_000]
const refusals = ['', 'network', 'no-whatsapp', 'blocked']

/** The values of each fault, with their labels. */
const faultChoices: Record<FaultKind, (words: PhoneTexts) => [string, string][]> = {
  drop: shareChoices,
  duplicate: shareChoices,
  reorder: shareChoices,
  delayMs: (words) => delays.map((ms) => [String(ms), ms === 0 ? words.off : words.seconds(ms / 1000)]),
  failSends: (words) => refusals.map((reason) => [reason, words.fail[reason] ?? reason]),
}
function shareChoices(words: PhoneTexts): [string, string][] {
  return faultShares.map((share) => [String(share), share === 0 ? words.off : words.share(share * 100)])
}
const faults = Object.keys(faultChoices) as FaultKind[]

/**
 * Simulates faults of real lines, until they are switched off. The panel is folded at first, because most users want
 * to see a working line.
 */
export function FaultInjection({ line }: { line: Connection }) {
  const words = useTexts(texts)
  const { data } = useSandboxFaults(line.id)
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
            <CountBadge value={on} kind="warn" />
          </span>
        )}
      </button>
      <div id={id} hidden={!open} className={classes.open}>
        {data && <FaultSettings line={line} faults={data} />}
      </div>
    </div>
  )
}

function FaultSettings({ line, faults: behaviour }: { line: Connection; faults: SandboxFaults }) {
  const words = useTexts(texts)
  const set = useSetFaults(line)
  const cut = () =>
    callApi(sandboxApi.drop, { params: { whatsappId: line.id } }).then(
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
          choices={faultChoices[fault](words)}
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
  // A script may have set a value that is not among the choices.
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

function useSetFaults(line: Connection): (behaviour: SandboxFaults) => Promise<void> {
  const client = useQueryClient()
  const key = ['sandbox', line.id, 'behaviour']
  return async (behaviour) => {
    const before = client.getQueryData<SandboxFaults>(key)
    setCachedQuery(client, key, behaviour)
    try {
      await callApi(sandboxApi.misbehave, { params: { whatsappId: line.id }, body: behaviour })
    } catch (error) {
      setCachedQuery(client, key, before)
      toast.error(error)
    }
  }
}
